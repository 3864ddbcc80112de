import type { IDataObject } from 'n8n-workflow';
import type { OperationCall } from '../../../shared/operation';
import { textOf } from '../../../shared/values';
import { objectsOf, sendJson } from '../../../shared/send-json';
import { keyOf } from './not-found';

/** The most that one request takes. */
export const MAX_POSTCODES = 100;
export const BULK_PATH = '/api/postcode/bulk';

/** No postcode is longer, however it is written. Together such texts stay far below what a server takes as one body. */
const MAX_LENGTH = 40;

const isWorthAsking = (text: string) => keyOf(text) !== '' && text.length <= MAX_LENGTH;

/** Looks up any number of postcodes in as few requests as there can be and answers the record of each by its text. */
export async function findRecords(
  call: OperationCall,
  asked: readonly unknown[],
): Promise<(asked: unknown) => IDataObject | undefined> {
  const texts = asked
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter(isWorthAsking);
  const distinct = [...new Map(texts.map((postcode) => [keyOf(postcode), postcode])).values()];
  const records = new Map<string, IDataObject>();
  for (let start = 0; start < distinct.length; start += MAX_POSTCODES) {
    const postcodes = distinct.slice(start, start + MAX_POSTCODES);
    const { results } = await sendJson(call, { method: 'POST', path: BULK_PATH, body: { postcodes } });
    for (const record of objectsOf(results)) records.set(keyOf(textOf(record.postcode) ?? ''), record);
  }
  return (value) => (typeof value === 'string' ? records.get(keyOf(value)) : undefined);
}
