import Papa from 'papaparse';
import { NAME_COLUMNS, byNameColumn, type ByNameColumn, type NameColumn } from '../name-columns.js';
import type { SourceFile } from './source.js';

/** What the tables of names and codes call their columns, vintage and "cd" or "nm" aside. */
const TABLE_WORDS: ByNameColumn<readonly string[]> = {
  country: ['ctry'],
  region: ['rgn', 'gor'],
  localAuthority: ['lad', 'laua', 'oslaua'],
  ward: ['wd', 'ward', 'osward'],
  constituency: ['pcon'],
  lsoa: ['lsoa', 'dz', 'soa'],
  msoa: ['msoa', 'iz', 'sdz'],
  policeForce: ['pfa'],
  icb: ['icb', 'stp'],
};
const CODE_HEADER = /^([a-z]+?)(\d\d)?cd$/u;
const NEWEST_CENTURY_UP_TO = 80;

interface NamesTable {
  readonly column: NameColumn;
  readonly year: number;
  readonly names: readonly (readonly [code: string, name: string])[];
}

/** The words for the codes of each name column. */
type CodeNames = ByNameColumn<ReadonlyMap<string, string>>;

/** UTF-8 where the bytes are that, else the Windows code page that the older tables are written in. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function parseTable(text: string): NamesTable | undefined {
  const firstLine = text.slice(0, text.search(/\r|\n|$/u));
  const delimiter = firstLine.includes('\t') ? '\t' : firstLine.includes(';') ? ';' : ',';
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: 'greedy' });
  const header = (data[0] ?? []).map((name) => name.trim().toLowerCase());
  for (const [codePlace, name] of header.entries()) {
    const [, word, vintage = ''] = CODE_HEADER.exec(name) ?? [];
    const column = NAME_COLUMNS.find(
      (candidate) => word !== undefined && TABLE_WORDS[candidate].includes(word),
    );
    const namePlace = header.indexOf(`${word ?? ''}${vintage}nm`);
    if (column === undefined || namePlace < 0) continue;
    const names = data
      .slice(1)
      .map((row) => [(row[codePlace] ?? '').trim(), (row[namePlace] ?? '').trim()] as const)
      .filter(([code, words]) => code !== '' && words !== '');
    const year = Number(vintage) > NEWEST_CENTURY_UP_TO ? Number(vintage) - 100 : Number(vintage);
    return { column, year, names };
  }
  return undefined;
}

async function readText(file: SourceFile): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await file.open()) if (Buffer.isBuffer(part)) parts.push(part);
  return decode(Buffer.concat(parts));
}

/** Reads the tables of names and codes; of several words for one code those of the newest vintage count. */
export async function readNamesTables(files: readonly SourceFile[]): Promise<CodeNames> {
  const tables: NamesTable[] = [];
  for (const file of files) {
    const table = parseTable(await readText(file));
    if (table !== undefined) tables.push(table);
  }
  tables.sort((one, other) => one.year - other.year);
  return byNameColumn(
    (column) => new Map(tables.filter((table) => table.column === column).flatMap(({ names }) => names)),
  );
}
