import type { PostcodeRecord } from '@signpost/contract';
import { CountryMap } from '../map/country-map.js';
import { distanceWords } from '../map/distance-words.js';
import { LocalMap, type LocalPoint } from '../map/local-map.js';
import { NearestTable } from './nearest-table.js';
import type { Nearest, PostcodeLookUp } from './postcode-look-up.js';
import { RecordFacts } from './record-facts.js';

function Place({ record }: { readonly record: PostcodeRecord }) {
  const { postcode, latitude, longitude, localAuthority, region, country } = record;
  const whereabouts = [localAuthority, region, country].filter((name) => name !== null).join(', ');
  return (
    <div class="place">
      <div>
        <h3 id="found">{postcode}</h3>
        {record.isActive ? null : (
          <p class="notice">This postcode is terminated: Royal Mail no longer delivers to it.</p>
        )}
        <RecordFacts record={record} />
      </div>
      {latitude === null || longitude === null ? (
        <p class="muted">The directory has no coordinates for it, so there is no map.</p>
      ) : (
        <CountryMap
          label={postcode}
          latitude={latitude}
          longitude={longitude}
          whereabouts={whereabouts === '' ? 'its area is not known' : whereabouts}
        />
      )}
    </div>
  );
}

/** Every postcode of the list has coordinates, or it could not be the nearest to anything. */
const pointsOf = ({ results }: Nearest): readonly LocalPoint[] =>
  results.map(({ latitude, longitude, distanceMetres }) => ({
    latitude: latitude ?? 0,
    longitude: longitude ?? 0,
    distanceMetres,
  }));

function Around({ postcode, nearest }: { readonly postcode: string; readonly nearest: Nearest }) {
  const { latitude, longitude, radiusMetres, results } = nearest;
  return (
    <div class="nearest">
      <h3>The nearest postcodes</h3>
      <p>
        {results.length === 0
          ? `There is no active postcode within ${distanceWords(radiusMetres)}.`
          : `Active postcodes within ${distanceWords(radiusMetres)} of ${postcode}, nearest first: ${results.length} found.`}
      </p>
      <LocalMap
        label={postcode}
        latitude={latitude}
        longitude={longitude}
        radiusMetres={radiusMetres}
        points={pointsOf(nearest)}
      />
      {results.length === 0 ? null : <NearestTable results={results} />}
    </div>
  );
}

/** What looking a postcode up brought: facts, the two maps and the table. */
export function PostcodeResult({ lookUp }: { readonly lookUp: PostcodeLookUp }) {
  const { record, nearest } = lookUp;
  if (record === undefined) return null;
  return (
    <div class="looked-up">
      <Place record={record} />
      {nearest === undefined ? null : <Around postcode={record.postcode} nearest={nearest} />}
    </div>
  );
}
