import { findNearestPostcodesRequest } from '@signpost/contract';
import type { FormFields } from '../form-fields.js';
import { sentNumber } from './capture-fields.js';

export const POSTCODE_FIELDS = ['key', 'postcode', 'nearest', 'radiusMetres', 'limit'] as const;

/** What the contract takes where radius and limit are left out. */
export const NEAREST_DEFAULTS = findNearestPostcodesRequest.parse({ latitude: 0, longitude: 0 });

export const wantsNearest = ({ nearest }: FormFields): boolean => nearest === 'yes';

/** The request for the postcodes around a point in degrees, as a program would send it. */
export const nearestRequest = (fields: FormFields, latitude: number, longitude: number) => ({
  latitude,
  longitude,
  radiusMetres: sentNumber(fields.radiusMetres),
  limit: sentNumber(fields.limit),
});
