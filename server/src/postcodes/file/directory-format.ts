import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { DETAIL_COLUMNS } from '../table/detail-columns.js';
import { byNameColumn, directoryInfo } from '../table/directory-data.js';

/**
 * The format of a directory file: a preamble; the header as JSON, padded to a multiple of 8 bytes; the sections, one
 * after the other and padded in the same way; and the CRC-32 of everything before. Numbers are little-endian.
 * Sections consist of 32-bit numbers in the layout that lookups use in memory. The details follow at the end and are
 * not loaded into memory: rows of the same length, each with its own CRC-32. Format 2 has neither details nor area
 * codes.
 */

/** The first bytes of a directory file. */
export const MAGIC = Buffer.from('SIGNPOST');
export const FORMAT_VERSION = 3;
export const OLDEST_FORMAT_VERSION = 2;
/** The length of the preamble, which has MAGIC, the format version, and the length of the header in bytes. */
export const PREAMBLE_BYTES = MAGIC.length + 4 + 4;
export const CHECKSUM_BYTES = 4;
export const ALIGNMENT_BYTES = 8;

export const padded = (bytes: number) => Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;

const section = z.object({
  /** The offset in bytes from the end of the header. */
  offset: z.int().nonnegative(),
  /** The number of 32-bit numbers. */
  length: z.int().nonnegative(),
});
export type Section = z.output<typeof section>;

export const sectionBytes = ({ length }: Section) => length * Int32Array.BYTES_PER_ELEMENT;

const DETAIL_FIELDS = DETAIL_COLUMNS.map(({ field }) => field);
/**
 * Checked by hand, because it is faster: there are tens of thousands of names, and a starting server waits for this
 * check.
 */
const nameValues = z.custom<readonly (string | null)[]>(
  (value) => Array.isArray(value) && value.every((name) => name === null || typeof name === 'string'),
);

const details = z.object({
  fields: z.array(z.enum(DETAIL_FIELDS)),
  /** A list of names for each of `fields`, in the same order. */
  names: z.array(nameValues),
  /** A list of codes for each of `fields`, in the same order. Files of older versions have none. */
  codes: z.array(nameValues).optional(),
  otherCodes: z.array(z.string()),
});

export const fileHeader = z.object({
  info: directoryInfo,
  grid: z.object({
    south: z.int(),
    west: z.int(),
    cellHeight: z.int().positive(),
    cellWidth: z.int().positive(),
    rows: z.int().nonnegative(),
    columns: z.int().nonnegative(),
  }),
  values: z.object(byNameColumn(() => nameValues)),
  areaCodes: z.object(byNameColumn(() => nameValues)).optional(),
  details: details.optional(),
  sections: z.object({
    keys: section,
    rows: section,
    gridStarts: section,
    gridPoints: section,
  }),
});
export type FileHeader = z.output<typeof fileHeader>;

/** A directory file that is damaged or in a format that this version cannot read, or a damaged pointer file. */
export class DirectoryFileError extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('internal', message, { cause });
    this.name = 'DirectoryFileError';
  }
}
