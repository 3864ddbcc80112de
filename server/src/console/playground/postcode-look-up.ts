import {
  findNearestPostcodesRequest,
  findNearestPostcodesResponse,
  lookupPostcodeResponse,
  type NearestPostcode,
  type PostcodeRecord,
} from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import type { ServiceError } from '../../service-error.js';
import type { Admission } from '../../usage/admission.js';
import type { ConsoleParts } from '../console-parts.js';
import type { FormFields } from '../form-fields.js';
import { attempt } from './attempt.js';
import { nearestRequest, wantsNearest } from './postcode-fields.js';

/** What looking up brought: the record, what is around it, and the refusal that ended it early. */
export interface PostcodeLookUp {
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

type Parts = Pick<ConsoleParts, 'meter' | 'operations'>;

/** Looks a postcode up with a key and, where the form asks for it, what is around it: one request each. */
export async function lookUpPostcode(
  { meter, operations }: Parts,
  chooseKey: () => Key,
  fields: FormFields,
  signal: AbortSignal,
): Promise<PostcodeLookUp> {
  const postcode = (fields.postcode ?? '').trim();
  const found = await attempt(meter, chooseKey, signal, async (call) =>
    lookupPostcodeResponse.parse(await operations.lookupPostcode.run({ postcode }, call)),
  );
  if (!found.isDone) return { error: found.error, admission: found.admission };
  const { admission } = found;
  const record = found.result.result;
  const { latitude, longitude } = record;
  if (!wantsNearest(fields) || latitude === null || longitude === null) return { record, admission };

  const request = nearestRequest(fields, latitude, longitude);
  const around = await attempt(meter, chooseKey, signal, async (call) =>
    findNearestPostcodesResponse.parse(await operations.findNearestPostcodes.run(request, call)),
  );
  if (!around.isDone) return { record, error: around.error, admission: around.admission ?? admission };
  const { radiusMetres } = findNearestPostcodesRequest.parse(request);
  return {
    record,
    nearest: { latitude, longitude, radiusMetres, results: around.result.results },
    admission: around.admission,
  };
}
