import { type CodeArray, type DirectoryData, NO_COORDINATE } from './directory-data.js';
import { NAME_COLUMNS } from './name-columns.js';
import { degreesText, metresText } from './number-text.js';
import { incodeOfKey, outcodeOfKey, outcodeText } from './postcode-key.js';

/** A column of names: per row a place in `members`, whose texts are such as `,"country":"Wales"`. */
interface WrittenNames {
  readonly codes: CodeArray;
  readonly members: readonly string[];
}

/**
 * Writes rows of a directory as postcode records in JSON, in the order of the contract. Each name is quoted once and
 * not for every record: answers of many records spend most of their time here.
 */
export class RecordWriter {
  readonly #data: DirectoryData;
  readonly #names: readonly WrittenNames[];
  readonly #outcodes = new Map<number, string>();

  constructor(data: DirectoryData) {
    this.#data = data;
    this.#names = NAME_COLUMNS.map((column) => {
      const { codes, values } = data.names[column];
      return { codes, members: values.map((value) => `,"${column}":${JSON.stringify(value)}`) };
    });
  }

  /** A row's record without the braces around it. */
  members(row: number): string {
    const { keys, active, latitude, longitude, easting, northing } = this.#data;
    const key = keys[row] ?? 0;
    const outcode = this.#outcode(outcodeOfKey(key));
    const incode = incodeOfKey(key);
    let text =
      `"postcode":"${outcode} ${incode}","outcode":"${outcode}","incode":"${incode}"` +
      `,"latitude":${degreesText(latitude[row] ?? NO_COORDINATE)}` +
      `,"longitude":${degreesText(longitude[row] ?? NO_COORDINATE)}` +
      `,"easting":${metresText(easting[row] ?? NO_COORDINATE)}` +
      `,"northing":${metresText(northing[row] ?? NO_COORDINATE)}`;
    for (const { codes, members } of this.#names) text += members[codes[row] ?? 0] ?? '';
    return text + (active[row] === 1 ? ',"isActive":true' : ',"isActive":false');
  }

  /** The postcode of a row, such as "SW1A 1AA". */
  postcode(row: number): string {
    const key = this.#data.keys[row] ?? 0;
    return `${this.#outcode(outcodeOfKey(key))} ${incodeOfKey(key)}`;
  }

  #outcode(number: number): string {
    let text = this.#outcodes.get(number);
    if (text === undefined) {
      text = outcodeText(number);
      this.#outcodes.set(number, text);
    }
    return text;
  }
}
