import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  detailLayout,
  type DetailField,
  type PlacedColumn,
  ROW_CHECKSUM_BYTES,
} from '../table/detail-columns.js';
import type { Details } from '../table/details.js';
import { DirectoryFileError } from './directory-format.js';

interface DetailFileOptions {
  readonly path: string;
  /** The position in the file, in bytes, of the first row of the details. */
  readonly start: number;
  readonly fields: readonly DetailField[];
  readonly names: Details['names'];
  readonly codes?: Details['codes'];
  readonly otherCodes: readonly string[];
}

/**
 * The columns of a directory file that are not kept in memory. `row` reads a row, in about 2 µs if the operating system
 * has the file in its cache, and overwrites the row that it returned before.
 */
export class DetailFile implements Details {
  readonly columns: readonly PlacedColumn[];
  readonly names: Details['names'];
  readonly codes: Details['codes'];
  readonly otherCodes: readonly string[];
  readonly #file: number;
  readonly #name: string;
  readonly #start: number;
  readonly #bytes: Buffer;
  readonly #checked: Buffer;
  readonly #view: DataView;

  constructor({ path, start, fields, names, codes, otherCodes }: DetailFileOptions) {
    const { columns, rowBytes } = detailLayout(fields);
    this.columns = columns;
    this.names = names;
    this.codes = codes;
    this.otherCodes = otherCodes;
    this.#file = openSync(path, 'r');
    this.#name = basename(path);
    this.#start = start;
    this.#bytes = Buffer.alloc(rowBytes);
    this.#checked = this.#bytes.subarray(0, rowBytes - ROW_CHECKSUM_BYTES);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, rowBytes);
  }

  row(row: number): DataView {
    const { length } = this.#bytes;
    const read = readSync(this.#file, this.#bytes, 0, length, this.#start + row * length);
    const checksum = this.#view.getUint32(length - ROW_CHECKSUM_BYTES, true);
    if (read < length || crc32(this.#checked) !== checksum) {
      throw new DirectoryFileError(`${this.#name} is damaged in row ${row + 1}: import the directory again.`);
    }
    return this.#view;
  }

  close(): void {
    closeSync(this.#file);
  }
}
