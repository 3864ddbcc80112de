import { CODED_AREA_FIELDS, INCLUDE_PARTS, type IncludePart, postcodeHistory } from '@signpost/contract';
import { areaFieldsOf } from '../included.js';
import type { PlacedColumn } from '../table/detail-columns.js';
import { detailNumber, monthText } from '../table/details.js';
import { crownDependencyOf } from '../table/crown-dependencies.js';
import { NAME_COLUMNS } from '../table/directory-data.js';
import { gridReferenceOf } from '../table/national-grid.js';
import { EASTING, NORTHING, type PackedDirectory } from '../table/packed-directory.js';
import { outcodeOfKey, outcodeText } from '../table/postcode-key.js';
import { digitsOf, isGssCode, letterOf, smallAreaText } from '../table/small-area-code.js';
import { FragmentPool, type JsonWriter, maxBytes } from './json-writer.js';

type Table = Pick<PackedDirectory, 'keys' | 'rows' | 'values' | 'areaCodes' | 'details'>;
/** Writes a piece of a row's record. `bytes` contain the row's values in the columns of details. */
type Piece = (out: JsonWriter, row: number, bytes: DataView) => void;

const NO_BYTES = new DataView(new ArrayBuffer(0));
/**
 * Space for a number, a month, a code of a small area, a grid reference or a Crown dependency: more bytes than any of
 * them takes.
 */
const VALUE_BYTES = 32;

const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`);

/** Writes the requested optional parts of a record as JSON, each preceded by a comma. */
export class IncludedWriter {
  readonly #table: Table;
  readonly #pool = new FragmentPool();
  readonly #parts: Readonly<Record<IncludePart, readonly Piece[]>>;
  /** The maximum size of all parts in bytes. */
  #maxBytes = 0;

  constructor(table: Table) {
    this.#table = table;
    this.#parts = {
      codes: this.#codes(),
      areas: this.#fields('areas', areaFieldsOf(table.details)),
      history: this.#fields('history', postcodeHistory.keyof().options),
    };
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  write(out: JsonWriter, row: number, include: readonly IncludePart[]): void {
    const bytes = include.length === 0 ? NO_BYTES : (this.#table.details?.row(row) ?? NO_BYTES);
    for (const part of INCLUDE_PARTS)
      if (include.includes(part)) for (const piece of this.#parts[part]) piece(out, row, bytes);
  }

  #codes(): Piece[] {
    const { areaCodes, rows } = this.#table;
    if (areaCodes === undefined) return [this.#constant(',"codes":null')];
    const codes = NAME_COLUMNS.map((column, index): Piece => {
      const label = `${index === 0 ? ',"codes":{' : ','}"${column}":`;
      const starts = this.#texts(areaCodes[column].map((code) => label + JSON.stringify(code)));
      const field = rows.names[column];
      return (out, row) => {
        const code = rows.code(row, field);
        out.append(this.#pool, starts[code] ?? 0, starts[code + 1] ?? 0);
      };
    });
    return [...codes, ...this.#codesOfAreas()];
  }

  /**
   * The last pieces of "codes": the code of each area in CODED_AREA_FIELDS, and the closing brace. A code is null if
   * the directory has no codes for that field.
   */
  #codesOfAreas(): Piece[] {
    const { details } = this.#table;
    const pieces: Piece[] = [];
    let text = '';
    for (const field of CODED_AREA_FIELDS) {
      text += `,"${field}":`;
      const columnIndex = details?.columns.findIndex((column) => column.field === field) ?? -1;
      const column = details?.columns[columnIndex];
      const codes = details?.codes?.[columnIndex];
      if (column === undefined || codes === undefined) text += 'null';
      else {
        pieces.push(this.#constant(text), this.#oneOf(codes, column));
        text = '';
      }
    }
    return [...pieces, this.#constant(`${text}}`)];
  }

  /**
   * The pieces of a part that consists of fields. The whole part is null if the table has no area codes. A field is
   * null if it is neither stored in a column nor computed.
   */
  #fields(part: IncludePart, fields: readonly string[]): Piece[] {
    const { areaCodes, details } = this.#table;
    if (areaCodes === undefined) return [this.#constant(`,"${part}":null`)];
    const pieces: Piece[] = [];
    let text = `,"${part}":{`;
    fields.forEach((field, index) => {
      text += `${index === 0 ? '' : ','}"${field}":`;
      const columnIndex = details?.columns.findIndex((column) => column.field === field) ?? -1;
      const column = details?.columns[columnIndex];
      const computed = this.#computed(field);
      if (column === undefined && computed === undefined) {
        text += 'null';
        return;
      }
      pieces.push(this.#constant(text));
      if (column !== undefined) pieces.push(this.#value(column, columnIndex));
      else if (computed !== undefined) pieces.push(computed);
      text = '';
    });
    return [...pieces, this.#constant(`${text}}`)];
  }

  /**
   * Adds alternative texts, of which each row gets one, to the pool, and adds the size of the longest to `#maxBytes`.
   * Returns the offset in the pool at which each text starts, then the end of the last.
   */
  #texts(texts: readonly string[]): Uint32Array {
    this.#maxBytes += maxBytes(texts);
    return this.#pool.addAll(texts);
  }

  #constant(text: string): Piece {
    const { start, end } = this.#pool.add(text);
    this.#maxBytes += end - start;
    return (out) => {
      out.append(this.#pool, start, end);
    };
  }

  /** A piece that writes the text to which a column's number refers. */
  #oneOf(texts: readonly (string | null)[], column: PlacedColumn): Piece {
    const starts = this.#texts(texts.map((text) => JSON.stringify(text)));
    return (out, _row, bytes) => {
      const number = detailNumber(bytes, column);
      out.append(this.#pool, starts[number] ?? 0, starts[number + 1] ?? 0);
    };
  }

  /** A piece for a field that follows from the postcode or its position; undefined for any other field. */
  #computed(field: string): Piece | undefined {
    if (field === 'gridReference') return this.#gridReference();
    if (field !== 'crownDependency') return undefined;
    const { keys } = this.#table;
    this.#maxBytes += VALUE_BYTES;
    return (out, row) => {
      out.ascii(quoted(crownDependencyOf(outcodeText(outcodeOfKey(keys[row] ?? 0)))));
    };
  }

  #value(column: PlacedColumn, columnIndex: number): Piece {
    const { details } = this.#table;
    if (column.kind === 'name') return this.#oneOf(details?.names[columnIndex] ?? [], column);
    this.#maxBytes += VALUE_BYTES;
    switch (column.kind) {
      case 'smallArea':
        return (out, _row, bytes) => {
          const code = detailNumber(bytes, column);
          if (isGssCode(code)) out.areaCode(letterOf(code), digitsOf(code));
          else out.ascii(quoted(smallAreaText(code, details?.otherCodes ?? [])));
        };
      case 'month':
        return (out, _row, bytes) => {
          out.ascii(quoted(monthText(detailNumber(bytes, column))));
        };
      case 'number':
        return (out, _row, bytes) => {
          const number = detailNumber(bytes, column);
          if (number === 0) out.ascii('null');
          else out.integer(number);
        };
    }
  }

  #gridReference(): Piece {
    const { keys, rows } = this.#table;
    this.#maxBytes += VALUE_BYTES;
    return (out, row) => {
      const easting = rows.coordinate(row, EASTING);
      out.ascii(quoted(gridReferenceOf(keys[row] ?? 0, easting, rows.coordinate(row, NORTHING))));
    };
  }
}
