import { decodeWindows1252 } from '../../platform/windows-1252.js';
import { DETAIL_COLUMNS, type DetailField, USER_TYPES } from '../table/detail-columns.js';
import { type ByNameColumn, NAME_COLUMNS, type NameColumn } from '../table/directory-data.js';
import { closedListName } from './closed-lists.js';
import { csvRows } from './csv-lines.js';
import type { SourceFile } from './source-files.js';

/** The titles of columns in tables of names and codes, without year and "cd" or "nm". */
const TABLE_TITLES: ByNameColumn<readonly string[]> = {
  country: ['ctry'],
  region: ['rgn', 'gor'],
  localAuthority: ['lad', 'laua', 'oslaua'],
  ward: ['wd', 'ward', 'osward'],
  constituency: ['pcon'],
  lsoa: ['lsoa', 'dz', 'sdz', 'soa'],
  msoa: ['msoa', 'iz'],
  policeForce: ['pfa'],
  icb: ['icb', 'stp'],
};
const CODE_HEADER = /^([a-z]+?\d?)(\d\d)?(?:cd|ind)$/u;
/** A code that means the same area in every table. Shorter codes, such as classes, are not unique. */
const GSS_CODE = /^[A-Z]\d{8}$/u;
const NEWEST_CENTURY_UP_TO = 80;
/** The characters that appear in place of letters that an encoding does not have. */
const DAMAGE = /[?\uFFFD]/u;
const DAMAGE_OR_LETTERS = /[?\uFFFD\P{ASCII}]+/gu;

const BYTE_ORDER_MARK = /^\uFEFF/u;

/** The names of codes in one column of a table. */
interface NamesTable {
  readonly word: string;
  readonly year: number;
  readonly names: readonly (readonly [code: string, name: string, welsh: string])[];
}

/** The name of a code of a column; undefined if neither a table nor a closed list has one. */
type NameOf = (column: NameColumn | DetailField, code: string) => string | undefined;

const utf8 = new TextDecoder('utf-8');
/** A UTF-8 character of several bytes, or otherwise a single byte beyond ASCII. */
const UTF8_OR_BYTE =
  /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}|[\x80-\xFF]/gu;

/** Decodes UTF-8 and the Windows code page of older tables, even mixed in one file. */
const decode = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(UTF8_OR_BYTE, (character) => {
      const bytesOfOne = Buffer.from(character, 'latin1');
      return character.length > 1 ? utf8.decode(bytesOfOne) : decodeWindows1252(bytesOfOne);
    })
    .normalize('NFC');

async function bytesOf(file: SourceFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await file.open()) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}

function parseTables(textWithMark: string): NamesTable[] {
  const text = textWithMark.replace(BYTE_ORDER_MARK, '');
  const firstLine = text.slice(0, text.search(/\r|\n|$/u));
  const delimiter = firstLine.includes('\t') ? '\t' : firstLine.includes(';') ? ';' : ',';
  const [titles = [], ...data] = csvRows(text, delimiter);
  const header = titles.map((name) => name.trim().toLowerCase());
  return header.flatMap((title, codeIndex) => {
    const [, word = '', vintage = ''] = CODE_HEADER.exec(title) ?? [];
    const nameIndex = header.indexOf(`${word}${vintage}nm`);
    if (word === '' || nameIndex < 0) return [];
    const welshIndex = header.indexOf(`${word}${vintage}nmw`);
    const names = data
      .map((row) => {
        const cell = (index: number) => (row[index] ?? '').trim();
        return [cell(codeIndex), cell(nameIndex), cell(welshIndex)] as const;
      })
      .filter(([code, name]) => code !== '' && name !== '');
    const year = Number(vintage) > NEWEST_CENTURY_UP_TO ? Number(vintage) - 100 : Number(vintage);
    return [{ word, year, names }];
  });
}

const namesOf = (tables: readonly NamesTable[]): ReadonlyMap<string, string> =>
  new Map(tables.flatMap(({ names }) => names.map(([code, name]) => [code, name])));

const namesWith = (tables: readonly NamesTable[], words: readonly string[]) =>
  namesOf(tables.filter(({ word }) => words.includes(word)));

/** For each code, its names that have letters beyond ASCII and no damage, Welsh names included. */
function spellingsOf(tables: readonly NamesTable[]): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>();
  for (const [code, ...names] of tables.flatMap((table) => table.names)) {
    const undamaged = names.filter((name) => /\P{ASCII}/u.test(name) && !DAMAGE.test(name));
    if (undamaged.length === 0) continue;
    const codeSpellings = spellings.get(code);
    if (codeSpellings === undefined) spellings.set(code, undamaged);
    else codeSpellings.push(...undamaged);
  }
  return spellings;
}

/**
 * Replaces the damaged letters of a name by those of a matching spelling: "Ll?n" becomes "Llŷn". Without a match,
 * returns the name unchanged.
 */
function repairName(name: string, spellings: readonly string[]): string {
  if (!DAMAGE.test(name)) return name;
  const outline = (text: string) => text.replace(DAMAGE_OR_LETTERS, '?');
  return spellings.find((spelling) => outline(spelling) === outline(name)) ?? name;
}

/**
 * Reads these tables and returns a function that finds the name of a code. If a code has several names, those of the
 * column's own level have precedence, then those of the newest year. A name of another level is used only for a GSS
 * code, which means the same area in every table. Closed lists provide names that no table has.
 */
export async function readNames(files: readonly SourceFile[]): Promise<NameOf> {
  const tables: NamesTable[] = [];
  for (const file of files) tables.push(...parseTables(decode(await bytesOf(file))));
  tables.sort((one, other) => one.year - other.year);
  const own = new Map<string, ReadonlyMap<string, string>>([
    ...NAME_COLUMNS.map((column) => [column, namesWith(tables, TABLE_TITLES[column])] as const),
    ...DETAIL_COLUMNS.map(({ field, titles }) => [field, namesWith(tables, titles)] as const),
    ['userType', new Map(Object.entries(USER_TYPES))],
  ]);
  const all = namesOf(tables);
  const spellings = spellingsOf(tables);
  return (column, code) => {
    const name = own.get(column)?.get(code) ?? (GSS_CODE.test(code) ? all.get(code) : undefined);
    return name === undefined ? closedListName(column, code) : repairName(name, spellings.get(code) ?? []);
  };
}
