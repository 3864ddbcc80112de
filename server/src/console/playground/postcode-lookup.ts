import {
  findNearestPostcodesRequest,
  findNearestPostcodesResponse,
  INCLUDE_PARTS,
  lookupPostcodeResponse,
  type NearestPostcode,
  type PostcodeRecord,
} from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import type { ServiceError } from '../../platform/errors.js';
import type { Admission } from '../../usage/rate-limit.js';
import type { FormFields } from '../layout/form-data.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import { attempt, type Caller } from './attempt.js';
import { sentNumber } from './capture-fields.js';

export const POSTCODE_FIELDS = ['key', 'postcode', 'nearest', 'include', 'radiusMetres', 'limit'] as const;

/** What the contract takes where radius and limit are left out. */
export const NEAREST_DEFAULTS = findNearestPostcodesRequest.parse({ latitude: 0, longitude: 0 });

const wantsNearest = ({ nearest }: FormFields): boolean => nearest === 'yes';

/** The request for the postcodes around a point in degrees, as a program would send it. */
const nearestRequest = (fields: FormFields, latitude: number, longitude: number) => ({
  latitude,
  longitude,
  radiusMetres: sentNumber(fields.radiusMetres),
  limit: sentNumber(fields.limit),
});

/** What looking up brought: the record, what is around it, and the refusal that ended it early. */
export interface PostcodeLookup {
  readonly record?: PostcodeRecord;
  /** Undefined where it was not asked for, or not to be had. */
  readonly nearest?: Nearest;
  readonly error?: ServiceError;
  /** Of the last request that was counted. */
  readonly admission?: Admission | undefined;
}

/** The active postcodes around a point in degrees. */
export interface Nearest {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMetres: number;
  readonly results: readonly NearestPostcode[];
}

type LookupDeps = Pick<ConsoleDeps, 'calls' | 'operations'>;

/** Looks a postcode up with a key and, where the form asks for it, what is around it: one request each. */
export async function lookupPostcode(
  { calls, operations }: LookupDeps,
  chooseKey: () => Key,
  fields: FormFields,
  caller: Caller,
): Promise<PostcodeLookup> {
  const postcode = (fields.postcode ?? '').trim();
  const include = fields.include === 'yes' ? INCLUDE_PARTS : [];
  const found = await attempt(caller, async (options) =>
    lookupPostcodeResponse.parse(
      await calls.perform(chooseKey(), operations.lookupPostcode, { postcode, include }, options),
    ),
  );
  if (!found.isDone) return { error: found.error, admission: found.admission };
  const { admission } = found;
  const record = found.result.result;
  const { latitude, longitude } = record;
  if (!wantsNearest(fields) || latitude === null || longitude === null) return { record, admission };

  const request = nearestRequest(fields, latitude, longitude);
  const around = await attempt(caller, async (options) =>
    findNearestPostcodesResponse.parse(
      await calls.perform(chooseKey(), operations.findNearestPostcodes, request, options),
    ),
  );
  if (!around.isDone) return { record, error: around.error, admission: around.admission ?? admission };
  const { radiusMetres } = findNearestPostcodesRequest.parse(request);
  return {
    record,
    nearest: { latitude, longitude, radiusMetres, results: around.result.results },
    admission: around.admission,
  };
}
