import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { enterFolders, fileNameOf, OutputFileError, splitOutputFile } from './output-path.js';

/** The code of an error of the system, such as "ENOENT"; empty where it has none. */
const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/**
 * Where files go when nobody said: "signpost" in the user's downloads, or without downloads a new temporary folder.
 * The place for temporary files is taken when this is called, the folder made when the result is.
 */
export function defaultFolder(): () => Promise<string> {
  const temporary = tmpdir();
  const downloads = join(homedir(), 'Downloads');
  return async () => {
    const found = await stat(downloads).catch(() => undefined);
    return found?.isDirectory() === true
      ? join(downloads, 'signpost')
      : mkdtemp(join(temporary, 'signpost-files-'));
  };
}

export { OutputFileError } from './output-path.js';

/** A captured file on its way to the disk. */
interface OutputFile {
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
const MAX_NAMESAKES = 1_000;

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
      for (let number = 1; number <= MAX_NAMESAKES; number += 1) {
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
