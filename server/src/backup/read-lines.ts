import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../error-code.js';
import { ServiceError } from '../service-error.js';
import { changed, cutOff, notABackup } from './damaged.js';
import { fileProblem } from './file-problem.js';

/** Far longer than any row; a file that has longer ones is none of ours. */
const LONGEST_LINE_CHARACTERS = 1_000_000;

/** What zlib's words and codes mean for a file of ours. */
function problemOf(path: string, error: unknown, isBegun: boolean): unknown {
  if (error instanceof ServiceError) return error;
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return isBegun ? cutOff(path, error) : notABackup(path, error);
  if (code.startsWith('Z_')) return isBegun ? changed(path, error) : notABackup(path, error);
  return fileProblem(path, error);
}

/**
 * The lines of a text compressed with gzip, without their ends; a last line without an end is left out. Throws a
 * ServiceError where the file cannot be read, is no such text, is cut off or was changed as far as gzip can tell.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip();
  file.once('error', (error) => text.destroy(error)).pipe(text);
  const chunks: AsyncIterable<Buffer> = text;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isBegun = false;
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE_CHARACTERS) throw isBegun ? changed(path) : notABackup(path);
      for (const line of lines) {
        yield line;
        isBegun = true;
      }
    }
  } catch (error) {
    throw problemOf(path, error, isBegun);
  } finally {
    file.destroy();
    text.destroy();
  }
}
