import { z } from 'zod';

const percentages = z.object({
  coordinates: z.number(),
  country: z.number(),
  region: z.number(),
  localAuthority: z.number(),
  ward: z.number(),
  constituency: z.number(),
  lsoa: z.number(),
  msoa: z.number(),
  policeForce: z.number(),
  icb: z.number(),
});

export const directoryInfo = z.object({
  /** Year and month, such as "2025-08"; "unknown" where neither file names nor dates tell it. */
  edition: z.string(),
  source: z.enum(['ONSPD', 'NSPL', 'sample']),
  isSample: z.boolean(),
  rows: z.int(),
  live: z.int(),
  terminated: z.int(),
  withoutCoordinates: z.int(),
  withoutNorthernIreland: z.boolean(),
  /** ISO 8601 in UTC; null for the sample, which nobody imported. */
  importedAt: z.iso.datetime().nullable(),
  /** How many rows have a value, in percent. */
  fillPercent: percentages,
});

/** What a directory says of itself. */
export type DirectoryInfo = Readonly<z.output<typeof directoryInfo>>;
export type FillPercent = DirectoryInfo['fillPercent'];
