import type { ComponentChildren } from 'preact';
import { formatDistance } from '../layout/formatting.js';
import { LocalMap } from '../map/local-map.js';
import { PlacesMap } from './mapped-places.js';
import {
  type Distances,
  placeOf,
  type PlacesFound,
  type PostcodesInText,
  type PostcodesOfPoints,
} from './place-lookup.js';

interface TableProps {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table whose rows are numbered as what was asked. */
const NumberedTable = ({ label, headings, rows }: TableProps) => (
  <div class="table" tabindex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {['No.', ...headings].map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            <td class="number">{row + 1}</td>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const UNKNOWN = <span class="muted">not known</span>;

const DistanceTable = ({ from, places, results }: Distances) => (
  <NumberedTable
    label={`Distances from ${from}`}
    headings={['Place', 'Distance', 'Bearing']}
    rows={results.map((distance, index) => [
      places[index],
      distance === null ? UNKNOWN : formatDistance(distance.metres),
      distance === null || distance.bearingDegrees === null ? UNKNOWN : `${distance.bearingDegrees}°`,
    ])}
  />
);

/** The first point with its postcode, where it has one. */
function FirstPointMap({ places, radiusMetres, results }: PostcodesOfPoints) {
  const [label = ''] = places;
  const point = placeOf(label);
  const [record] = results;
  if (typeof point === 'string' || record === undefined) return null;
  const points =
    record === null || record.latitude === null || record.longitude === null
      ? []
      : [{ latitude: record.latitude, longitude: record.longitude, distanceMetres: record.distanceMetres }];
  return <LocalMap label={label} {...point} radiusMetres={radiusMetres} points={points} />;
}

const PointTable = ({ places, results }: PostcodesOfPoints) => (
  <NumberedTable
    label="The nearest active postcode of each point"
    headings={['Point', 'Postcode', 'Distance', 'Ward']}
    rows={results.map((record, index) => [
      places[index],
      record?.postcode ?? <span class="muted">none in range</span>,
      record === null ? UNKNOWN : formatDistance(record.distanceMetres),
      record?.ward ?? UNKNOWN,
    ])}
  />
);

const TextTable = ({ results }: PostcodesInText) =>
  results.length === 0 ? (
    <p>The text has no postcode.</p>
  ) : (
    <NumberedTable
      label="The postcodes in the text"
      headings={['Postcode', 'From', 'To', 'Exists']}
      rows={results.map(({ postcode, start, end, isValid }) => [
        postcode,
        start,
        end,
        isValid ? 'Yes' : 'No',
      ])}
    />
  );

/** What the form for places brought. */
export function PlaceResult({ found }: { readonly found: PlacesFound }) {
  return (
    <div class="looked-up">
      {found.kind === 'distance' ? (
        <div class="place">
          <DistanceTable {...found} />
          <PlacesMap {...found} />
        </div>
      ) : null}
      {found.kind === 'find' ? (
        <div class="place">
          <TextTable {...found} />
          <PlacesMap {...found} />
        </div>
      ) : null}
      {found.kind === 'reverse' ? (
        <>
          <FirstPointMap {...found} />
          <PointTable {...found} />
        </>
      ) : null}
    </div>
  );
}
