import { INCLUDE_PARTS, type PostcodeRecord, postcodeRecord } from '@signpost/contract';
import { z } from 'zod';
import { partLines, postcodeLine } from './describe-postcode.js';

const field = postcodeRecord.omit({ postcode: true, codes: true, areas: true, history: true }).keyof();

/** What of each record of a list is wanted: a hundred whole ones are more than a model should read for one fact. */
export const fieldsArgument = z
  .array(field)
  .optional()
  .describe('Return only these fields of each record, or only the postcode for []. Unset: all.');

type Fields = z.output<typeof fieldsArgument>;

/** What a list's record has for certain; its other fields would cost every model many words in each list of tools. */
export const listedRecord = z.looseObject({ postcode: z.string() });

/** In a record whatever was asked of it. */
const ALWAYS: ReadonlySet<string> = new Set(['postcode', 'distanceMetres', ...INCLUDE_PARTS]);

/** The fields of a record that are wanted. */
export function pickFields(record: PostcodeRecord, fields: Fields): z.output<typeof listedRecord> {
  if (fields === undefined) return record;
  const wanted = new Set<string>(fields);
  const picked = Object.entries(record).filter(([name]) => ALWAYS.has(name) || wanted.has(name));
  return { ...Object.fromEntries(picked), postcode: record.postcode };
}

/** One postcode on one line of a list, with the fields that are wanted. */
export function listLine(record: PostcodeRecord, fields: Fields): string {
  if (fields === undefined) return postcodeLine(record);
  const known = fields.filter((name) => record[name] !== null).map((name) => `${name} ${record[name]}`);
  return [record.postcode, ...known].join('; ') + partLines(record);
}
