import {
  type AreaKind,
  getOutcodeResponse,
  listAreaPostcodesRequest,
  listAreaPostcodesResponse,
  type ListAreaPostcodesResponse,
  type OutcodeRecord,
} from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import type { Point } from '../../postcodes/nearest/distance.js';
import type { FormFields } from '../layout/form-data.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import { attempt, type Attempt, type Caller } from './attempt.js';
import { sentNumber } from './capture-fields.js';
import { pointsOf } from './mapped-places.js';

export const AREA_FIELDS = ['key', 'kind', 'area', 'offset', 'limit'] as const;

/** What can be asked for, with what it is called. */
export const AREA_LABELS: Readonly<Record<AreaKind | 'outcode' | 'code', string>> = {
  outcode: 'Outcode',
  country: 'Country',
  region: 'Region',
  localAuthority: 'Local authority',
  ward: 'Ward',
  constituency: 'Constituency',
  lsoa: 'Lower layer area (LSOA)',
  msoa: 'Middle layer area (MSOA)',
  policeForce: 'Police force',
  icb: 'Integrated care board',
  code: 'Area, by its GSS code',
};

/** What the contract takes where offset and limit are left out. */
export const AREA_DEFAULTS = listAreaPostcodesRequest.parse({ code: '' });

/** What was found: what is known of an outcode, or the postcodes of an area from an offset on. */
export type AreaFound =
  | { readonly outcode: OutcodeRecord }
  | {
      readonly list: ListAreaPostcodesResponse;
      readonly offset: number;
      readonly points: readonly Point[];
    };

/** The request for the postcodes of an area, as a program would send it. */
const listRequest = ({ kind = '', area = '', offset, limit }: FormFields) => ({
  ...(kind === 'code' ? { code: area.trim() } : { kind, name: area.trim() }),
  offset: sentNumber(offset),
  limit: sentNumber(limit),
});

/** Looks an outcode or an area up with a key: one request. */
export function findArea(
  { calls, operations, directories }: Pick<ConsoleDeps, 'calls' | 'operations' | 'directories'>,
  chooseKey: () => Key,
  fields: FormFields,
  caller: Caller,
): Promise<Attempt<AreaFound>> {
  return attempt<AreaFound>(caller, async (options) => {
    if (fields.kind === 'outcode') {
      const request = { outcode: (fields.area ?? '').trim() };
      const answer = await calls.perform(chooseKey(), operations.getOutcode, request, options);
      return { outcode: getOutcodeResponse.parse(answer).result };
    }
    const request = listRequest(fields);
    const answer = await calls.perform(chooseKey(), operations.listAreaPostcodes, request, options);
    const { offset } = listAreaPostcodesRequest.parse(request);
    const list = listAreaPostcodesResponse.parse(answer);
    return { list, offset, points: pointsOf(directories.current(), list.postcodes) };
  });
}
