import type { IDataObject } from 'n8n-workflow';
import type { OperationCall } from '../../../shared/operation';
import { textOf } from '../../../shared/values';
import { objectsOf, sendJson } from '../../../shared/send-json';

/** The most that one request takes. */
export const MOST_POSTCODES = 100;
export const BULK_PATH = '/api/postcode/bulk';

/**
 * What the server takes for the same postcode: case and spaces do not matter, and it repairs O for 0 and I for 1. No
 * two real postcodes differ in such a slip alone.
 */
const keyOf = (postcode: string) =>
  postcode.replace(/\s/gu, '').toUpperCase().replaceAll('O', '0').replaceAll('I', '1');

/** Looks up any number of postcodes in as few requests as there can be and answers the record of each by its text. */
export async function findRecords(
  call: OperationCall,
  asked: readonly string[],
): Promise<(postcode: string) => IDataObject | undefined> {
  const distinct = [...new Map(asked.map((postcode) => [keyOf(postcode), postcode])).entries()]
    .filter(([key]) => key !== '')
    .map(([, postcode]) => postcode);
  const records = new Map<string, IDataObject>();
  for (let start = 0; start < distinct.length; start += MOST_POSTCODES) {
    const postcodes = distinct.slice(start, start + MOST_POSTCODES);
    const { results } = await sendJson(call, { method: 'POST', path: BULK_PATH, body: { postcodes } });
    for (const record of objectsOf(results)) records.set(keyOf(textOf(record.postcode) ?? ''), record);
  }
  return (postcode) => records.get(keyOf(postcode));
}
