import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.js';
import { fileNameOf } from './file-name.js';
import { enterFolders, splitOutputFile } from './output-path.js';
import { OutputFileError } from './output-file-error.js';

export { OutputFileError } from './output-file-error.js';

/** A captured file on its way to the disk. */
export interface OutputFile {
  readonly body: Buffer;
  /** The ending that its name must have, without the dot. */
  readonly extension: string;
  readonly pageUrl: string;
  /** Its name below the folder as the caller asked for it; made from host and time where it is left out. */
  readonly outputFile?: string | undefined;
}

/** The one folder that files are written to. */
export interface OutputFolder {
  /** Writes a file that was not there before and answers its whole path; throws OutputFileError in words for the caller. */
  save(file: OutputFile): Promise<string>;
}

interface OutputFolderOptions {
  /** Answers where the folder is; called when the first file is saved. */
  readonly locate: () => string | Promise<string>;
  readonly now: () => Date;
}

/** Nothing that is there already is opened, whatever it is, a link that leads elsewhere included. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_ALONE = 0o600;
const MOST_NAMESAKES = 1_000;

export function createOutputFolder({ locate, now }: OutputFolderOptions): OutputFolder {
  let located: string | undefined;
  const locateOnce = async () => (located ??= await locate());

  return {
    async save({ body, extension, pageUrl, outputFile }) {
      // Made anew where its owner has thrown it away meanwhile.
      const folder = await openFolder(locateOnce);
      if (outputFile !== undefined) {
        const { folders, name } = splitOutputFile(outputFile, extension);
        const path = join(await enterFolders(folder, folders), name);
        if (await writeNew(path, body)) return path;
        throw new OutputFileError(
          `There is a file ${outputFile} already, and it is not overwritten. Call again with another outputFile, or without one.`,
        );
      }
      const name = fileNameOf(pageUrl, now());
      for (let number = 1; number <= MOST_NAMESAKES; number += 1) {
        const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.${extension}`);
        if (await writeNew(path, body)) return path;
      }
      throw new OutputFileError(
        'Too many files of this name are there already. Call again with an outputFile.',
      );
    },
  };
}

async function openFolder(locate: OutputFolderOptions['locate']): Promise<string> {
  const folder = await locate();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw cannotWrite(error);
  }
}

/** Writes a file; false where there is something of that name already. */
async function writeNew(path: string, body: Buffer): Promise<boolean> {
  try {
    const file = await open(path, NEW_FILE, OWNER_ALONE);
    try {
      await file.writeFile(body);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw cannotWrite(error);
  }
}

function cannotWrite(error: unknown): OutputFileError {
  const why = errorCode(error) || 'unknown reason';
  return new OutputFileError(
    `The output folder cannot be written to (${why}). Tell the user to set --output-dir or SIGNPOST_MCP_OUTPUT_DIR to a folder that can.`,
  );
}
