import { open, stat } from 'node:fs/promises';
import { reasonOf } from '../../platform/errors.js';
import { openFolder, sourceFile } from './open-folder.js';
import { ImportError } from './import-error.js';
import { EXCEL_WORKBOOK, type Source } from './source-files.js';
import { openZip } from './zip-archive.js';

export const isUrl = (source: string) => /^https?:\/\//iu.test(source);

/** The file name in an address: the last part of its path, or the whole address if that part is empty. */
export function fileNameOfUrl(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || url;
  } catch {
    // The percent-encoding is not valid, so the name is used unchanged.
    return name;
  }
}

const SNIFFED_BYTES = 512;

/**
 * Kinds of files that people mistake for the directory, recognised by their first bytes. `what` completes the message
 * "it is …".
 */
const FOREIGN = [
  {
    what: 'a gzip archive: unpack it first',
    test: (start: Buffer) => start[0] === 0x1f && start[1] === 0x8b,
  },
  {
    what: 'a 7z archive: unpack it first',
    test: (start: Buffer) => start.subarray(0, 2).toString() === '7z',
  },
  {
    what: 'a RAR archive: unpack it first',
    test: (start: Buffer) => start.subarray(0, 4).toString() === 'Rar!',
  },
  { what: EXCEL_WORKBOOK, test: (start: Buffer) => start.subarray(0, 4).toString('hex') === 'd0cf11e0' },
  { what: 'a PDF document', test: (start: Buffer) => start.subarray(0, 5).toString() === '%PDF-' },
  { what: 'an HTML or XML page', test: (start: Buffer) => /^[\s\uFEFF]*</u.test(start.toString()) },
  { what: 'JSON', test: (start: Buffer) => /^[\s\uFEFF]*[[{]/u.test(start.toString()) },
  {
    what: 'a UTF-16 text: save it as UTF-8',
    test: (start: Buffer) => /^(?:fffe|feff)/u.test(start.toString('hex')),
  },
  { what: 'binary data', test: (start: Buffer) => start.includes(0) },
];

async function beginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Opens a folder or a zip file, and any other file as csv. Throws an ImportError if a file is unreadable, empty, or
 * something else by its first bytes or name. Messages about the content of a file use `name`.
 */
export async function openSource(path: string, name: string, maxFiles: number): Promise<Source> {
  let start: Buffer;
  let bytes: number;
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await openFolder(path, maxFiles);
    bytes = found.size;
    start = await beginning(path);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`The file ${path} cannot be read: ${reasonOf(error)}.`, error);
  }
  if (start.length === 0) throw new ImportError(`${name} is empty.`);
  if (start.subarray(0, 2).toString() === 'PK') return openZip(path, name, maxFiles);
  const foreign = FOREIGN.find(({ test }) => test(start));
  if (foreign !== undefined) {
    throw new ImportError(
      `${name} is not a postcode directory (zip or csv): it is ${foreign.what.replace(/\.$/u, '')}.`,
    );
  }
  if (/\.zip$/iu.test(name)) throw new ImportError(`${name} is not a zip archive. Download it again.`);
  return { files: [sourceFile(path, name, bytes)], close: () => undefined };
}
