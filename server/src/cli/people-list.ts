import { readFile } from 'node:fs/promises';
import { reasonOf, ServiceError } from '../platform/errors.js';
import { decodeWindows1252 } from '../platform/windows-1252.js';

/** A person on a list. */
export interface Person {
  readonly email: string;
  readonly name: string | undefined;
}

/**
 * Decodes a file as editors and spreadsheets save it: little-endian UTF-16 if it begins with the byte order mark, else
 * UTF-8 if it is valid, else Windows-1252.
 */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** Matches a cell and the separator or the end after it. A quoted cell may have separators in it. */
const CELL = / *(?:"((?:[^"]|"")*)"|([^,;\t]*?)) *(?:[,;\t]|$)/gu;

const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(CELL)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"').trim() ?? plain);

const isAddress = (cell: string) => cell.includes('@');

/** The title of a column of e-mails, such as "E-Mail" or "Work email". */
const EMAIL_TITLE = /^(?:.*[\s_-])?e?-?mail(?:[\s_-].*)?$/iu;
/** Titles of the column with the person's own e-mail. Other columns, such as "Manager email", may have another's. */
const PLAIN_EMAIL_TITLE = /^(?:work[\s_-])?e?-?mail(?:[\s_-]?address)?(?:\s*\[.*\])?$/iu;
const NAME_TITLE = /^(?:(?:first|last|given|family|full|display)[\s_-]*)?name\b/iu;
/** "Ada Lovelace <ada@example.org>", as mail programs write it. */
const MAILBOX = /^(.*?)<([^<>\s]+@[^<>\s]+)>$/u;

function nameOf(parts: readonly string[]): string | undefined {
  const name = parts.filter((part) => part !== '').join(' ');
  return name === '' ? undefined : name;
}

/** Reads one person. The name is in the columns whose titles say so, or else in all columns except the e-mail. */
function personOf(line: string, titles: readonly string[]): Person {
  const [, mailboxName = '', mailbox] = MAILBOX.exec(line.trim()) ?? [];
  if (mailbox !== undefined) return { email: mailbox, name: nameOf(cellsOf(mailboxName)) };
  const cells = cellsOf(line);
  const plain = titles.findIndex((title) => PLAIN_EMAIL_TITLE.test(title));
  const titled = plain === -1 ? titles.findIndex((title) => EMAIL_TITLE.test(title)) : plain;
  const column = titled === -1 ? Math.max(0, cells.findIndex(isAddress)) : titled;
  const hasNames = titles.some((title) => NAME_TITLE.test(title));
  const isName = (_cell: string, index: number) =>
    index !== column && (!hasNames || NAME_TITLE.test(titles[index] ?? ''));
  // If the cell of the e-mail is missing or empty, the whole line stands for the e-mail, so that the error says which
  // line is wrong.
  const { [column]: email = '' } = cells;
  return { email: email === '' ? line.trim() : email, name: nameOf(cells.filter(isName)) };
}

/** Reads a line: one person or, if there are no titles, several people as the field "To" of a mail has them. */
function peopleOf(line: string, titles: readonly string[]): readonly Person[] {
  const addresses = cellsOf(line).filter(isAddress);
  return titles.length === 0 && addresses.length > 1
    ? addresses.map((one) => personOf(one, []))
    : [personOf(line, titles)];
}

/**
 * Reads a list of people, as a text or as a spreadsheet saves it: on each line an e-mail, with a name before it, after
 * it, or without. The first line may have titles. Skips empty lines and those that begin with "#" or "sep=". Throws a
 * ServiceError if the file cannot be read, or if nobody is on the list.
 */
export async function readPeople(path: string): Promise<readonly Person[]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new ServiceError('invalidRequest', `The file ${path} cannot be read: ${reasonOf(error)}.`);
  });
  const lines = decode(bytes)
    .split(/\r\n?|\n/u)
    .filter((line) => !/^\s*(?:$|#|sep=)/iu.test(line));
  const first = cellsOf(lines[0] ?? '');
  const hasTitles = first.some((cell) => EMAIL_TITLE.test(cell)) && !first.some(isAddress);
  const titles = hasTitles ? first : [];
  const people = lines.slice(hasTitles ? 1 : 0).flatMap((line) => peopleOf(line, titles));
  if (people.length > 0) return people;
  throw new ServiceError(
    'invalidRequest',
    `The file ${path} must have an e-mail on each line, with a name beside it or without.`,
  );
}
