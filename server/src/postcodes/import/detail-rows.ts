import type { DetailSpool } from '../file/detail-spool.js';
import {
  DETAIL_COLUMNS,
  detailColumn,
  detailLayout,
  type DetailField,
  type DetailKind,
  type PlacedColumn,
} from '../table/detail-columns.js';
import { packMonth } from '../table/details.js';
import type { DetailData } from '../table/directory-data.js';
import { CodeColumn, gssDigits, isPseudo } from '../table/growing-columns.js';
import { NO_SMALL_AREA, smallAreaOf, smallAreaOfOther } from '../table/small-area-code.js';
import type { CsvLine } from './csv-lines.js';
import { wholeNumber, yearMonth } from './field-values.js';
import { ImportError } from './import-error.js';
import { isPseudoArea } from './pseudo-codes.js';

/** For each detail field, the indexes of its columns in a csv row. The first column that is not blank counts. */
export type DetailColumnIndexes = ReadonlyMap<DetailField, readonly number[]>;

const MAX_NUMBER = 2 ** 16 - 1;

type NameOf = (field: DetailField, code: string) => string | undefined;

/** The name of a code, or the code itself if it has no name; null if the code means that there is no area. */
function nameUnlessPseudo(field: DetailField, code: string, nameOf: NameOf): string | null {
  const name = nameOf(field, code);
  if (detailColumn(field).none?.includes(code) === true || isPseudoArea(field, code, name)) return null;
  return name ?? code;
}

/**
 * Collects the values of the columns beyond the record's own fields. A value that is not a code, a number or a month
 * is treated as missing.
 */
export class DetailRows {
  readonly #spool: DetailSpool;
  /** The codes of each column that has names, by column index. */
  #codes: readonly CodeColumn[] = [];
  readonly #otherCodes = new CodeColumn();
  #columns: readonly PlacedColumn[] = [];
  #rowBytes = 0;

  constructor(spool: DetailSpool) {
    this.#spool = spool;
  }

  /** Begins a file. The first file determines the columns. Returns the csv indexes of each column. */
  begin(columnIndexes: DetailColumnIndexes): readonly (readonly number[])[] {
    if (this.#rowBytes === 0) {
      const fields = DETAIL_COLUMNS.map(({ field }) => field).filter((field) => columnIndexes.has(field));
      const { columns, rowBytes } = detailLayout(fields);
      this.#columns = columns;
      this.#codes = columns.map(() => new CodeColumn());
      this.#rowBytes = rowBytes;
    }
    return this.#columns.map(({ field }) => columnIndexes.get(field) ?? []);
  }

  /** Adds the row of a line, given the csv indexes of its columns. */
  add({ buffer, starts, ends }: CsvLine, columnIndexes: readonly (readonly number[])[]): void {
    const row = this.#spool.next(this.#rowBytes);
    const { pending } = this.#spool;
    for (let index = 0; index < this.#columns.length; index += 1) {
      const column = this.#columns[index];
      for (const columnIndex of columnIndexes[index] ?? []) {
        const start = starts[columnIndex] ?? 0;
        const end = ends[columnIndex] ?? 0;
        if (column === undefined || start === end) continue;
        const number = this.#numberOf(index, column.kind, buffer, start, end);
        if (column.kind === 'smallArea') pending.setUint32(row + column.offset, number, true);
        else pending.setUint16(row + column.offset, number, true);
        break;
      }
    }
  }

  flush(): Promise<void> {
    return this.#spool.flush();
  }

  /**
   * Returns the collected details. If the directory has its rows in another order than they were added in, `order` has
   * the index of the added row for each row of the directory.
   */
  build(rows: number, order: Uint32Array | undefined, nameOf: NameOf): DetailData {
    const codes = this.#columns.map(({ kind }, index) =>
      kind === 'name' ? (this.#codes[index]?.codes ?? []) : [],
    );
    const names = this.#columns.map(({ field }, index) =>
      (codes[index] ?? []).map((code) => (code === null ? null : nameUnlessPseudo(field, code, nameOf))),
    );
    return {
      fields: this.#columns.map(({ field }) => field),
      names,
      codes: codes.map((values, index) =>
        values.map((code, number) => ((names[index]?.[number] ?? null) === null ? null : code)),
      ),
      // An empty text takes the place of a code that means that there is no area.
      otherCodes: this.#otherCodes.codes
        .slice(1)
        .map((code) => (code === null || isPseudoArea('outputArea', code) ? '' : code)),
      rows: () => this.#spool.rows(rows, order, this.#rowBytes),
    };
  }

  #numberOf(column: number, kind: DetailKind, buffer: Buffer, start: number, end: number): number {
    switch (kind) {
      case 'smallArea':
        return this.#smallArea(buffer, start, end);
      case 'month':
        return packMonth(yearMonth(buffer, start, end));
      case 'number': {
        const number = wholeNumber(buffer, start, end);
        return number <= MAX_NUMBER ? number : 0;
      }
      case 'name': {
        const number = this.#codes[column]?.numberOf(buffer, start, end) ?? 0;
        if (number > MAX_NUMBER) {
          const { field } = this.#columns[column] ?? {};
          throw new ImportError(`${field} has more different codes than any edition has.`);
        }
        return Math.max(number, 0);
      }
    }
  }

  #smallArea(buffer: Buffer, start: number, end: number): number {
    const digits = end - start === 9 ? gssDigits(buffer, start) : -1;
    if (isPseudo(digits)) return NO_SMALL_AREA;
    if (digits >= 0) return smallAreaOf(buffer[start] ?? 0, digits);
    const number = this.#otherCodes.numberOf(buffer, start, end);
    return number > 0 ? smallAreaOfOther(number - 1) : NO_SMALL_AREA;
  }
}
