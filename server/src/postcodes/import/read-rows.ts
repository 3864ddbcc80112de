import { MAX_ROWS, NAME_COLUMNS, NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';
import type { DirectoryBuilder } from '../table/directory-builder.js';
import { hasRealIncode, INCODES, MAX_POSTCODE_LENGTH, NO_KEY, outcodeText } from '../table/postcode-key.js';
import {
  type CsvLine,
  CsvLines,
  fieldTexts,
  isAllBlank,
  isBlank,
  type LineFault,
  trimBlankEnd,
} from './csv-lines.js';
import type { DetailRows } from './detail-rows.js';
import { columnsOfHeader, type DirectoryColumns } from './edition-columns.js';
import { keyOfBytes, millionths, yearMonth } from './field-values.js';
import { degreesOfGrid } from './grid-reference.js';
import { headerlessLayout } from './headerless-layouts.js';
import { otherProduct } from './other-products.js';
import { keyOfText } from '../table/normalise-postcode.js';
import { ImportError, formatPosition } from './import-error.js';
import type { SourceFile } from './source-files.js';

/** The latitude that ONS writes if a postcode's position is not known, in millionths of a degree. */
const NO_LATITUDE = 99_999_999;
/** Larger grid coordinates are errors: the British grid ends 1,300 km north of its origin. */
const MAX_GRID_METRES = 2_000_000;
const SHOWN_CHARACTERS = 40;
const BYTE_ORDER_MARK = '\uFEFF';

/** A line with more fields that are not blank is no title. */
const MAX_TITLE_FIELDS = 4;
/** How many lines with a title or a note may be above the header. */
const MAX_TITLE_LINES = 10;

const NO_HEADER =
  'it has no header, and its first row is not laid out like that of any edition whose columns are known without one. Put the header of the edition before it';
const FAULTS: Record<LineFault, string> = {
  'too long': 'the line has more than 64 KiB, or does not end',
  'broken quote': 'a quotation mark is not closed, or not followed by a comma',
  'too many columns': 'the line has more columns than any edition',
};

interface RowReaderOptions {
  readonly builder: DirectoryBuilder;
  readonly details: DetailRows;
  readonly withoutNorthernIreland: boolean;
}

/**
 * Adds the rows of one file of the directory to a builder. Throws an ImportError with the position of an
 * error.
 */
class RowReader {
  readonly #file: string;
  readonly #builder: DirectoryBuilder;
  readonly #details: DetailRows;
  #detailIndexes: readonly (readonly number[])[] = [];
  readonly #withoutNorthernIreland: boolean;
  readonly #lines: CsvLines;
  #columns: DirectoryColumns | undefined;
  /** Whether an outward code is in Northern Ireland, by the number of the code. */
  readonly #irish = new Map<number, boolean>();
  /** A buffer that every row overwrites. */
  readonly #characters = new Uint8Array(MAX_POSTCODE_LENGTH);
  #newestMonth = 0;
  #titleLines = 0;
  /**
   * The error for the first line if it is no header. Thrown only if no header follows, because the line may be a title.
   */
  #firstRejection: ImportError | undefined;

  constructor(file: string, { builder, details, withoutNorthernIreland }: RowReaderOptions) {
    this.#file = file;
    this.#builder = builder;
    this.#details = details;
    this.#withoutNorthernIreland = withoutNorthernIreland;
    this.#lines = new CsvLines(
      (line) => {
        if (this.#columns === undefined) this.#readHeader(line);
        else this.#readRow(line, this.#columns);
      },
      (fault, line) => {
        if (this.#columns === undefined) throw this.#firstRejection ?? this.#rejection(FAULTS[fault], line);
        return this.#fail(line, Math.max(line.count - 1, 0), FAULTS[fault]);
      },
    );
  }

  /**
   * The latest month in which a postcode was introduced or terminated, such as 202508; 0 if no row has one.
   */
  get newestMonth(): number {
    return this.#newestMonth;
  }

  /** The names of all columns, in the order of the file, with commas between them; empty until the header was read. */
  get header(): string {
    return this.#columns?.names.join(',') ?? '';
  }

  /** The years in the titles of the name columns. */
  get vintages(): DirectoryColumns['vintages'] | null {
    return this.#columns?.vintages ?? null;
  }

  /** Whether the columns show that the file is an ONSPD: the NSPL has neither parishes nor historic areas. */
  get isOnspd(): boolean {
    return this.#columns?.names.some((name) => /^(?:parish|parncp|oa01|streg|ssr95)/iu.test(name)) ?? false;
  }

  write(chunk: Buffer): void {
    this.#lines.write(chunk);
  }

  end(): void {
    this.#lines.end();
    if (this.#columns === undefined) throw this.#firstRejection ?? new ImportError(`${this.#file} is empty.`);
  }

  #readHeader(line: CsvLine) {
    const first = fieldTexts(line);
    first[0] = (first[0] ?? '').replace(BYTE_ORDER_MARK, '').replaceAll('"', '');
    const layout = headerlessLayout(first);
    if (layout === undefined) while (first.length > 1 && first.at(-1)?.trim() === '') first.pop();
    const columns = columnsOfHeader(layout ?? first);
    if ('missing' in columns) {
      this.#skipTitle(first, columns.missing, line);
      return;
    }
    this.#lines.headerFound();
    this.#columns = columns;
    this.#detailIndexes = this.#details.begin(columns.details);
    if (layout !== undefined) this.#readRow(line, columns);
  }

  /** Skips a line that may be a title above the header, and throws an error for any other line. */
  #skipTitle(fields: readonly string[], missing: readonly string[], line: CsvLine) {
    const product = otherProduct(fields);
    if (product !== undefined) throw this.#rejection(product, line);
    // A title such as "wd25cd" has the form of a postcode, but no postcode has a C in that position.
    const keys = fields.map((field) => keyOfText(field));
    if (keys.some((key) => key !== NO_KEY && hasRealIncode(key)))
      throw this.#firstRejection ?? this.#rejection(NO_HEADER, line);
    const rejection = this.#rejection(`its header has no column for ${missing.join(', ')}`, line);
    if (fields.filter((field) => field.trim() !== '').length > MAX_TITLE_FIELDS) throw rejection;
    this.#firstRejection ??= rejection;
    this.#titleLines += 1;
    if (this.#titleLines > MAX_TITLE_LINES) throw this.#firstRejection;
  }

  #rejection(why: string, { number }: CsvLine): ImportError {
    return new ImportError(
      `${formatPosition({ file: this.#file, line: number })}: this is no postcode directory, for ${why}.`,
    );
  }

  #fail(line: CsvLine, index: number, why: string): never {
    const column = this.#columns?.names[index] ?? String(index + 1);
    throw new ImportError(`${formatPosition({ file: this.#file, line: line.number, column })}: ${why}.`);
  }

  #quoteField({ buffer, starts, ends }: CsvLine, index: number): string {
    return JSON.stringify(buffer.toString('utf8', starts[index], ends[index]).slice(0, SHOWN_CHARACTERS));
  }

  #readRow(line: CsvLine, columns: DirectoryColumns) {
    if (isBlank(line)) return;
    trimBlankEnd(line, columns.count);
    if (line.count !== columns.count) {
      if (isAllBlank(line)) return;
      const fault =
        line.count < columns.count ? 'the row breaks off here' : 'the row goes on after its last column';
      const counts = `it has ${line.count} columns instead of ${columns.count}`;
      this.#fail(line, Math.min(line.count, columns.count) - 1, `${fault}: ${counts}`);
    }
    const { buffer, starts, ends } = line;
    const key = keyOfBytes(
      buffer,
      starts[columns.postcode] ?? 0,
      ends[columns.postcode] ?? 0,
      this.#characters,
    );
    if (key === NO_KEY) {
      if (isAllBlank(line)) return;
      this.#fail(line, columns.postcode, `${this.#quoteField(line, columns.postcode)} is not a postcode`);
    }
    if (this.#withoutNorthernIreland && this.#isIrish(Math.trunc(key / INCODES))) return;
    if (this.#builder.rows === MAX_ROWS)
      this.#fail(line, columns.postcode, 'there are more rows than a directory has');

    const isActive = this.#month(line, columns.terminated) === 0;
    if (columns.introduced !== undefined) this.#month(line, columns.introduced);
    for (const column of NAME_COLUMNS) {
      let number = 0;
      for (const index of columns.codes[column]) {
        number = this.#builder.codes[column].numberOf(buffer, starts[index] ?? 0, ends[index] ?? 0);
        if (number < 0) this.#fail(line, index, `${this.#quoteField(line, index)} is not a code`);
        if (starts[index] !== ends[index]) break;
      }
      this.#builder.setCode(column, number);
    }
    this.#builder.add(key, isActive, this.#coordinates(line, columns));
    this.#details.add(line, this.#detailIndexes);
  }

  #isIrish(outcode: number): boolean {
    let isIrish = this.#irish.get(outcode);
    if (isIrish === undefined) {
      isIrish = outcodeText(outcode).startsWith('BT');
      this.#irish.set(outcode, isIrish);
    }
    return isIrish;
  }

  #month(line: CsvLine, index: number): number {
    const month = yearMonth(line.buffer, line.starts[index] ?? 0, line.ends[index] ?? 0);
    if (Number.isNaN(month))
      this.#fail(line, index, `${this.#quoteField(line, index)} is not a month such as 202508`);
    if (month > this.#newestMonth) this.#newestMonth = month;
    return month;
  }

  #coordinates(line: CsvLine, columns: DirectoryColumns) {
    const easting = this.#metres(line, columns.easting);
    const northing = this.#metres(line, columns.northing);
    if (columns.latitude === undefined || columns.longitude === undefined) {
      return { ...degreesOfGrid(easting, northing, this.#countryCode(line, columns)), easting, northing };
    }
    const latitude = this.#degrees(line, columns.latitude, 90);
    const longitude =
      latitude === NO_COORDINATE ? NO_COORDINATE : this.#degrees(line, columns.longitude, 180);
    const isPlaced = longitude !== NO_COORDINATE;
    return { latitude: isPlaced ? latitude : NO_COORDINATE, longitude, easting, northing };
  }

  #countryCode({ buffer, starts, ends }: CsvLine, columns: DirectoryColumns): string {
    const [index = 0] = columns.codes.country;
    return buffer.toString('latin1', starts[index], ends[index]);
  }

  #degrees(line: CsvLine, index: number, max: number): number {
    const start = line.starts[index] ?? 0;
    const end = line.ends[index] ?? 0;
    if (start === end) return NO_COORDINATE;
    const value = millionths(line.buffer, start, end);
    if (max === 90 && value === NO_LATITUDE) return NO_COORDINATE;
    if (Math.abs(value) <= max * UNITS_PER_DEGREE) return value;
    return this.#fail(
      line,
      index,
      `${this.#quoteField(line, index)} is not a number of degrees from -${max} to ${max}`,
    );
  }

  #metres(line: CsvLine, index: number | undefined): number {
    if (index === undefined) return NO_COORDINATE;
    const start = line.starts[index] ?? 0;
    const end = line.ends[index] ?? 0;
    if (start === end) return NO_COORDINATE;
    const value = Math.round(millionths(line.buffer, start, end) / UNITS_PER_DEGREE);
    if (value >= 0 && value <= MAX_GRID_METRES) return value;
    return this.#fail(line, index, `${this.#quoteField(line, index)} is not a number of metres on the grid`);
  }
}

/** Reads one file of the directory. `onBytes` receives the number of bytes read since its last call. */
export async function readRows(
  file: SourceFile,
  options: RowReaderOptions,
  onBytes: (bytes: number) => void,
): Promise<Pick<RowReader, 'header' | 'newestMonth' | 'isOnspd' | 'vintages'>> {
  const reader = new RowReader(file.name, options);
  let failure: Error | undefined;
  try {
    for await (const chunk of await file.open()) {
      // If a row cannot be read and the file has a checksum, reads on without parsing: if the checksum is wrong, the
      // damage explains the row.
      if (!Buffer.isBuffer(chunk) || failure !== undefined) continue;
      try {
        reader.write(chunk);
      } catch (error) {
        if (file.hasChecksum !== true) throw error;
        failure = error instanceof Error ? error : new Error(String(error));
      }
      await options.details.flush();
      onBytes(chunk.length);
    }
  } catch (error) {
    if (!(error instanceof ImportError) || !(failure instanceof ImportError)) throw error;
    throw new ImportError(`${error.message} The first row that is broken: ${failure.message}`, error);
  }
  if (failure !== undefined) throw failure;
  reader.end();
  const { header, newestMonth, isOnspd, vintages } = reader;
  return { header, newestMonth, isOnspd, vintages };
}
