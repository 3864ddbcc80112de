import {
  autocompletePostcodeRequest,
  autocompletePostcodeResponse,
  formatCount,
  findNearestPostcodesRequest,
  findNearestPostcodesResponse,
  LIMITS,
  lookupPostcodeRequest,
  lookupPostcodeResponse,
  lookupPostcodesRequest,
  lookupPostcodesResponse,
  type MissingPostcode,
  postcodeRecord,
  validatePostcodeRequest,
  validatePostcodeResponse,
  whereIsPoint,
} from '@signpost/contract';
import { z } from 'zod';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { describePostcode } from './describe-postcode.js';
import { shownValue } from './foreign-text.js';
import { fieldsArgument, listedRecord, listRecords, noteField } from './record-fields.js';
import { structured } from './tool-result.js';
import { defineTool, toolInfo } from './tool.js';

/**
 * Optional parts of a record, present only if requested. Their fields are not listed, because that would cost every
 * model many tokens.
 */
const parts = {
  codes: z.unknown().optional(),
  areas: z.unknown().optional(),
  history: z.unknown().optional(),
};
const shortRecord = postcodeRecord.extend(parts);

/** The maximum number of characters of a postcode that a message shows. */
const SHOWN_CHARACTERS = 40;

const linesOf = (lines: readonly (string | undefined)[]) =>
  lines.filter((line) => line !== undefined).join('\n');

const noteFields = (note: string | undefined) => (note === undefined ? {} : { note });

export const lookupPostcodes = defineTool({
  ...toolInfo('lookupPostcodes'),
  input: lookupPostcodesRequest.extend({ fields: fieldsArgument }),
  output: lookupPostcodesResponse.extend({ results: z.array(listedRecord), ...noteField }),
  async run({ fields, ...input }, { backend, signal, report }) {
    report(`Looking up ${input.postcodes.length} postcodes`);
    const answer = await backend.call('lookupPostcodes', input, { signal });
    report(`Found ${answer.found}`);
    const missing = (missingReason: MissingPostcode['reason']) =>
      answer.missing
        .filter(({ reason }) => reason === missingReason)
        .map(({ postcode }) => shownValue(postcode, SHOWN_CHARACTERS))
        .join(', ');
    const [unknown, malformed] = [missing('unknown'), missing('malformed')];
    const { results, heading, lines, note } = listRecords(answer.results, fields);
    const words = [
      `${answer.found} of ${input.postcodes.length} found.`,
      note,
      heading,
      ...lines,
      unknown === '' ? undefined : `No such postcode: ${unknown}`,
      malformed === '' ? undefined : `Not a whole postcode: ${malformed}`,
      // An older server does not say which postcodes are missing.
      answer.missing.length === 0 && answer.notFound > 0
        ? `${answer.notFound} are unknown, or not whole postcodes.`
        : undefined,
    ];
    return structured(linesOf(words), { ...answer, results, ...noteFields(note) });
  },
});

export const validatePostcode = defineTool({
  ...toolInfo('validatePostcode'),
  input: validatePostcodeRequest,
  output: validatePostcodeResponse,
  async run(input, { backend, signal }) {
    const answer = await backend.call('validatePostcode', input, { signal });
    const { postcode, isValid, isActive, suggestion } = answer;
    const meant = suggestion === undefined ? '' : ` Probably ${suggestion} was meant.`;
    const shown = shownValue(postcode, SHOWN_CHARACTERS);
    const status = isActive ? '' : ', but is terminated';
    return structured(
      isValid ? `Yes: ${shown} exists${status}.` : `No: ${shown} is not a postcode that exists.${meant}`,
      answer,
    );
  },
});

const { max: maxNearest } = LIMITS.nearestResults;
const { max: maxRadius } = LIMITS.nearestRadiusMetres;

/** Says why there is no active postcode within the radius, or what to try. */
function adviceIfNoneNear({
  latitude,
  longitude,
  radiusMetres,
}: z.output<typeof findNearestPostcodesRequest>): string {
  const where =
    latitude === undefined || longitude === undefined ? undefined : whereIsPoint(latitude, longitude);
  if (where === 'exchanged')
    return `The point is not in the UK, but latitude ${longitude} and longitude ${latitude} are: call again with the two exchanged.`;
  if (where === 'elsewhere') return 'The point is not in the UK, and Signpost knows only UK postcodes.';
  return radiusMetres < maxRadius
    ? `A larger radiusMetres (at most ${maxRadius}) may find some.`
    : 'No larger radius can be asked for: the point may lie at sea.';
}

/** Says which of `total` results are shown, counted from 1; or that there are none after `offset`. */
const pageOf = (offset: number, length: number, total: number) =>
  length === 0
    ? ` There are ${total}, none after offset ${offset}.`
    : ` These are ${offset + 1} to ${offset + length} of ${total}.`;

export const findNearestPostcodes = defineTool({
  ...toolInfo('findNearestPostcodes'),
  input: findNearestPostcodesRequest.safeExtend({ fields: fieldsArgument }),
  output: findNearestPostcodesResponse.extend({ results: z.array(listedRecord), ...noteField }),
  async run({ fields, ...input }, { backend, signal }) {
    const answer = await backend.call('findNearestPostcodes', input, { signal });
    const { results, total } = answer;
    const middle =
      (input.postcode === undefined ? undefined : shownValue(input.postcode, SHOWN_CHARACTERS)) ??
      `${input.latitude}, ${input.longitude}`;
    const within = `within ${input.radiusMetres} m of ${middle}`;
    if (results.length === 0 && (total ?? 0) === 0) {
      const advice = adviceIfNoneNear(input);
      return structured(`No active postcode ${within}. ${advice}`, { ...answer, ...noteFields(advice) });
    }
    const { length } = results;
    const more =
      total !== undefined
        ? pageOf(input.offset ?? 0, length, total)
        : length === input.limit
          ? ` There may be more: ${input.limit < maxNearest ? `raise limit (at most ${maxNearest}), or ` : ''}page with offset.`
          : '';
    const list = listRecords(results, fields);
    const words = [
      `${formatCount(length, 'postcode')} ${within}, nearest first.${more}`,
      list.note,
      list.heading && `metres  ${list.heading}`,
      ...results.map(({ distanceMetres }, index) => `${distanceMetres} m  ${list.lines[index]}`),
    ];
    return structured(linesOf(words), { ...answer, results: list.results, ...noteFields(list.note) });
  },
});

export const autocompletePostcode = defineTool({
  ...toolInfo('autocompletePostcode'),
  input: autocompletePostcodeRequest,
  output: autocompletePostcodeResponse,
  async run(input, { backend, signal }) {
    const answer = await backend.call('autocompletePostcode', input, { signal });
    const { postcodes } = answer;
    if (postcodes.length === 0)
      return structured('No active postcode begins like that. Try fewer characters, at least 2.', answer);
    const { max } = LIMITS.autocompleteResults;
    const more =
      postcodes.length === input.limit
        ? ` There may be more: ${input.limit < max ? `raise limit (at most ${max}), or ` : ''}send more characters.`
        : '';
    return structured(
      `${formatCount(postcodes.length, 'postcode')} found: ${postcodes.join(', ')}.${more}`,
      answer,
    );
  },
});

const BAD_REQUEST = 400;
/** A word of four letters or more, such as the name of a street or town. No postcode has one. */
const WORD = /\p{L}{4}/u;
/** Part of the server's message about a text in which it recognises nothing. */
const UNRECOGNISED_TEXT = 'but is "';

/**
 * Returns the error with advice added if the caller seems to have sent an address without a postcode, otherwise the
 * error itself. If the server recognised the text, such as an address with a postcode, its message already says what to
 * do.
 */
function aboutAddress(error: unknown, { postcode }: { readonly postcode: string }): unknown {
  if (!(error instanceof SignpostApiError) || error.status !== BAD_REQUEST) return error;
  const { message } = error;
  if (!WORD.test(postcode) || !message.includes(UNRECOGNISED_TEXT)) return error;
  return new SignpostApiError(
    `${message} Addresses and names of places cannot be looked up: ask the user for the postcode, or give a longer text that may have one to find_postcodes_in_text.`,
    error,
  );
}

export const lookupPostcode = defineTool({
  ...toolInfo('lookupPostcode'),
  input: lookupPostcodeRequest,
  output: lookupPostcodeResponse.extend({ result: shortRecord }),
  async run(input, { backend, signal }) {
    const answer = await backend.call('lookupPostcode', input, { signal }).catch((error: unknown) => {
      throw aboutAddress(error, input);
    });
    return structured(describePostcode(answer.result), answer);
  },
});
