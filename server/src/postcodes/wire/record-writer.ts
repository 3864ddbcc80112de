import type { WrittenJson } from '../../platform/written-json.js';
import { JsonWriter, maxBytes, type Fragment, FragmentPool, wordOf } from './json-writer.js';
import {
  incodeOfKey,
  INCODES,
  type KeyIndex,
  outcodeOfKey,
  OUTCODES,
  outcodeText,
} from '../table/postcode-key.js';
import { NameFragments } from './name-fragments.js';
import type { NearbyRow } from '../nearest/nearest-rows.js';
import {
  EASTING,
  LATITUDE,
  LONGITUDE,
  NORTHING,
  type PackedDirectory,
  type PackedRows,
} from '../table/packed-directory.js';

/** Stands for the inward code in the text that the records of one outward code begin with. */
const INCODE = '???';
const headOf = (outcode: string) =>
  `{"postcode":"${outcode} ${INCODE}","outcode":"${outcode}","incode":"${INCODE}","latitude":`;
const BEFORE_POSTCODE = '{"postcode":'.length;
const HEAD_BUT_OUTCODES = headOf('').length;
const FROM_SECOND_INCODE = `${INCODE}","latitude":`.length;
const QUOTED_BUT_OUTCODE = `" ${INCODE}"`.length;
const BETWEEN_INCODES = `${INCODE}","outcode":"","incode":"`.length;
const FROM_QUOTED_INCODE = `${INCODE}"`.length;
const outcodeLength = (start: number, end: number) => (end - start - HEAD_BUT_OUTCODES) / 2;
/** Inward codes with the quotation mark after them: four characters, a word. */
const incodeWords = Int32Array.from({ length: INCODES }, (_, number) => wordOf(`${incodeOfKey(number)}"`));

const COMMA = ','.charCodeAt(0);
const OPEN_LIST = '['.charCodeAt(0);
const CLOSE_LIST = ']'.charCodeAt(0);
const CLOSE_RECORD = '}'.charCodeAt(0);
/** More than the labels and digits of the numbers of a record take. */
const NUMBERS_BYTES = 200;
/** More than what stands around a list takes. */
const FRAME_BYTES = 100;
const MAX_POSTCODE_BYTES = ',"SW1A 1AA"'.length;

/** Writes the answers of the contract that hold rows of a directory, as JSON; a record is in the order of the contract. */
export class RecordWriter {
  readonly #keys: Uint32Array;
  readonly #rows: PackedRows;
  readonly #texts = new FragmentPool();
  readonly #longitude = this.#texts.add(',"longitude":');
  readonly #easting = this.#texts.add(',"easting":');
  readonly #northing = this.#texts.add(',"northing":');
  readonly #isActive = this.#texts.add(',"isActive":true');
  readonly #isNotActive = this.#texts.add(',"isActive":false');
  readonly #result = this.#texts.add('{"result":');
  readonly #postcodes = this.#texts.add('{"postcodes":');
  readonly #results = this.#texts.add('{"results":');
  readonly #found = this.#texts.add(',"found":');
  readonly #notFound = this.#texts.add(',"notFound":');
  readonly #distance = this.#texts.add(',"distanceMetres":');
  readonly #names: readonly NameFragments[];
  /** The place of each outward code among those that there are, and where the texts begin that records begin with. */
  readonly #outcodePlaces = new Uint32Array(OUTCODES);
  readonly #headStarts: Uint32Array;
  readonly #longestRecord: number;
  readonly #out = new JsonWriter();

  constructor({ keys, outcodes }: KeyIndex, { rows, values }: Pick<PackedDirectory, 'rows' | 'values'>) {
    this.#keys = keys;
    this.#rows = rows;
    const heads = outcodes.map((outcode) => headOf(outcodeText(outcode)));
    let longestRecord = maxBytes(heads) + NUMBERS_BYTES;
    outcodes.forEach((outcode, place) => (this.#outcodePlaces[outcode] = place));
    this.#headStarts = this.#texts.addAll(heads);
    this.#names = rows.runs.map((run) => new NameFragments(this.#texts, rows, run, values));
    for (const { longest: most } of this.#names) longestRecord += most;
    this.#longestRecord = longestRecord;
    this.#texts.close();
  }

  /** The answer to the look-up of a row's postcode. */
  lookup(row: number): string {
    const out = this.#out;
    this.#begin(this.#result, this.#longestRecord);
    this.#members(row);
    out.character(CLOSE_RECORD);
    out.character(CLOSE_RECORD);
    return out.text();
  }

  /** The answer to look-ups of so many postcodes, of which these rows were found. */
  lookupAll(rows: readonly number[], asked: number): WrittenJson {
    const out = this.#out;
    this.#begin(this.#results, rows.length * this.#longestRecord);
    this.#list(rows, (row) => {
      this.#members(row);
      out.character(CLOSE_RECORD);
    });
    out.put(this.#texts, this.#found);
    out.integer(rows.length);
    out.put(this.#texts, this.#notFound);
    out.integer(asked - rows.length);
    out.character(CLOSE_RECORD);
    return out.json();
  }

  /** The answer to a search for what is near. */
  nearest(nearby: readonly NearbyRow[]): WrittenJson {
    const out = this.#out;
    this.#begin(this.#results, nearby.length * this.#longestRecord);
    this.#list(nearby, ({ row, distanceMetres }) => {
      this.#members(row);
      out.put(this.#texts, this.#distance);
      out.tenths(Math.round(distanceMetres * 10));
      out.character(CLOSE_RECORD);
    });
    out.character(CLOSE_RECORD);
    return out.json();
  }

  /** The answer to the beginning of the postcodes of rows. */
  autocomplete(rows: readonly number[]): string {
    this.#begin(this.#postcodes, rows.length * MAX_POSTCODE_BYTES);
    this.#list(rows, (row) => {
      this.#postcode(this.#keys[row] ?? 0);
    });
    this.#out.character(CLOSE_RECORD);
    return this.#out.text();
  }

  /** Begins an answer whose list takes so many bytes at most. */
  #begin(label: Fragment, listBytes: number) {
    this.#out.clear();
    this.#out.room(listBytes + FRAME_BYTES);
    this.#out.put(this.#texts, label);
  }

  #list<Item>(items: readonly Item[], write: (item: Item) => void) {
    const out = this.#out;
    out.character(OPEN_LIST);
    items.forEach((item, index) => {
      if (index > 0) out.character(COMMA);
      write(item);
    });
    out.character(CLOSE_LIST);
  }

  /** A row's record without the brace that closes it. */
  #members(row: number) {
    const out = this.#out;
    const texts = this.#texts;
    const rows = this.#rows;
    this.#head(this.#keys[row] ?? 0);
    out.degrees(rows.coordinate(row, LATITUDE));
    out.put(texts, this.#longitude);
    out.degrees(rows.coordinate(row, LONGITUDE));
    out.put(texts, this.#easting);
    out.metres(rows.coordinate(row, EASTING));
    out.put(texts, this.#northing);
    out.metres(rows.coordinate(row, NORTHING));
    for (const names of this.#names) names.write(out, row);
    out.put(texts, rows.isActive(row) ? this.#isActive : this.#isNotActive);
  }

  /** Postcode, outward and inward code, and the label of the latitude. */
  #head(key: number) {
    const place = this.#outcodePlaces[outcodeOfKey(key)] ?? 0;
    const start = this.#headStarts[place] ?? 0;
    const end = this.#headStarts[place + 1] ?? 0;
    const incode = incodeWords[key % INCODES] ?? 0;
    this.#out.piece(this.#texts, start, end);
    this.#out.over(FROM_SECOND_INCODE, incode);
    this.#out.over(FROM_SECOND_INCODE + BETWEEN_INCODES + outcodeLength(start, end), incode);
  }

  #postcode(key: number) {
    const place = this.#outcodePlaces[outcodeOfKey(key)] ?? 0;
    const start = this.#headStarts[place] ?? 0;
    const length = outcodeLength(start, this.#headStarts[place + 1] ?? 0);
    const from = start + BEFORE_POSTCODE;
    this.#out.piece(this.#texts, from, from + QUOTED_BUT_OUTCODE + length);
    this.#out.over(FROM_QUOTED_INCODE, incodeWords[key % INCODES] ?? 0);
  }
}
