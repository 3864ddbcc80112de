import {
  formatCount,
  type findPostcodesInTextResponse,
  LIMITS,
  measureDistanceRequest,
  type MissingPlace,
  type Place,
  whereIsPoint,
} from '@signpost/contract';
import { z } from 'zod';
import { shownValue } from './foreign-text.js';
import { MAX_LIST_CHARACTERS } from './record-fields.js';
import { structured } from './tool-result.js';
import { defineTool, toolInfo } from './tool.js';

// The tools of this file have no output schema: its tokens would be in every list of tools.

const SHOWN_CHARACTERS = 40;

const formatPlace = (place: Place) =>
  typeof place === 'string' ? shownValue(place, SHOWN_CHARACTERS) : `${place.latitude}, ${place.longitude}`;

const WHY_NULL: Readonly<Record<MissingPlace['reason'], string>> = {
  malformed: 'not a postcode',
  unknown: 'no such postcode',
  noCoordinates: 'the directory does not say where it is',
};

const POINT = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/u;

function parsePlace(words: string): Place {
  const [, latitude, longitude] = POINT.exec(words) ?? [];
  return latitude === undefined ? words : { latitude: Number(latitude), longitude: Number(longitude) };
}

/**
 * Accepts only text, because several clients leave out the text form of an argument that may be a text or an object.
 */
const place = z.string().transform(parsePlace);

/**
 * Lists the points outside the UK, and which of them would be inside with latitude and longitude swapped; undefined if
 * there are none.
 */
function pointsElsewhere(places: readonly Place[]): string | undefined {
  const listPoints = (whereabouts: ReturnType<typeof whereIsPoint>) =>
    places
      .filter(
        (place) => typeof place !== 'string' && whereIsPoint(place.latitude, place.longitude) === whereabouts,
      )
      .map(formatPlace)
      .join('; ');
  const [exchanged, elsewhere] = [listPoints('exchanged'), listPoints('elsewhere')];
  const notes = [
    exchanged &&
      `Not in the UK, but it would be with latitude and longitude exchanged: ${exchanged}. Latitude comes first. Call again with the two exchanged if that was meant.`,
    elsewhere && `Not in the UK: ${elsewhere}.`,
  ].filter((note) => note !== '');
  return notes.length === 0 ? undefined : notes.join(' ');
}

export const measureDistance = defineTool({
  ...toolInfo('measureDistance'),
  input: measureDistanceRequest.extend({
    from: place.describe('A postcode, or latitude and longitude in degrees, such as "51.501,-0.1416".'),
    to: z
      .array(place)
      .min(LIMITS.distancePlaces.min)
      .max(LIMITS.distancePlaces.max)
      .describe('The same for each place to measure to.'),
  }),
  async run(input, { backend, signal }) {
    const answer = await backend.call('measureDistance', input, { signal });
    const lines = input.to.map((place, index) => {
      const distance = answer.results[index];
      if (distance === null || distance === undefined)
        return `${formatPlace(place)}: ${WHY_NULL[answer.missing.find((missing) => missing.index === index)?.reason ?? 'unknown']}`;
      const { metres, bearingDegrees } = distance;
      const bearing = bearingDegrees === null ? '' : `, bearing ${bearingDegrees} degrees`;
      return `${formatPlace(place)}: ${metres} m${bearing}`;
    });
    const note = pointsElsewhere([input.from, ...input.to]);
    const words = [`From ${formatPlace(input.from)}, in a straight line:`, ...lines].join('\n');
    return note === undefined
      ? structured(words, answer)
      : structured(`${note}\n${words}`, { ...answer, note });
  },
});

type PostcodeInText = z.output<typeof findPostcodesInTextResponse>['results'][number];

const foundLine = ({ postcode, start, end, isValid, isActive }: PostcodeInText) =>
  `${postcode} at ${start} to ${end}: ${isActive ? 'exists' : isValid ? 'exists, but is terminated' : 'does not exist'}`;

/** The first results that fit into one answer together with their lines, and a note if there are more. */
function fittingResults(results: readonly PostcodeInText[]) {
  let charactersLeft = MAX_LIST_CHARACTERS;
  const next = results.findIndex((result) => {
    charactersLeft -= foundLine(result).length + JSON.stringify(result).length + 2;
    return charactersLeft < 0;
  });
  const first = next === -1 ? undefined : results[next];
  if (first === undefined) return { shown: results, note: undefined };
  const more = formatCount(results.length - next, 'postcode');
  const note = `Left out, as the list is long: ${more}, the first at ${first.start}. To get them, call again with the text from there on. Positions then count from its new beginning.`;
  return { shown: results.slice(0, next), note };
}

export const findPostcodesInText = defineTool({
  ...toolInfo('findPostcodesInText'),
  input: z.strictObject({
    text: z.string().max(LIMITS.toolTextCharacters.max).describe('The text to search.'),
  }),
  async run(input, { backend, signal }) {
    const answer = await backend.call('findPostcodesInText', input, { signal });
    if (answer.results.length === 0) return structured('The text has no postcode.', answer);
    const { shown: results, note } = fittingResults(answer.results);
    const lines = results.map(foundLine).join('\n');
    return note === undefined
      ? structured(lines, answer)
      : structured(`${note}\n${lines}`, { ...answer, results, note });
  },
});
