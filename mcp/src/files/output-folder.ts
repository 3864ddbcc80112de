import { constants } from 'node:fs';
import { access, lstat, mkdir, mkdtemp, open, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, reasonOf } from '../system-errors.js';
import { enterFolders, fileNameOf, findLastFolder, OutputFileError, splitOutputFile } from './output-path.js';

/**
 * Returns a function that finds the default folder: "signpost" in the user's downloads folder, or a new temporary
 * folder if there is no downloads folder. The path of the system's folder for temporary files is looked up at once; the
 * new folder in it is created when the returned function is called.
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

/** The requested name of a file. */
interface OutputName {
  /** The extension of the file, without the dot. */
  readonly extension: string;
  /**
   * The path that the caller chose, below the output folder. If it is left out, the name is made from the page's host
   * and the time.
   */
  readonly outputFile?: string | undefined;
}

/** A captured file to be written. */
interface OutputFile extends OutputName {
  readonly body: Buffer;
  readonly pageUrl: string;
}

/** The only folder that files are written to. */
export interface OutputFolder {
  readonly kind: 'folder';
  /**
   * Throws OutputFileError if a file of that name certainly cannot be written. Some problems only show when it is
   * written. Creates the output folder if it is missing, but no file.
   */
  check(name: OutputName): Promise<void>;
  /**
   * Writes a new file and returns its full path. Never overwrites. Throws OutputFileError with a message for the
   * caller.
   */
  save(file: OutputFile): Promise<string>;
}

interface OutputFolderOptions {
  /** Returns the folder. Called when the first file is checked or saved. */
  readonly locate: () => string | Promise<string>;
  readonly now: () => Date;
  /** Replaces "~" at the start of the folder. */
  readonly home?: string;
}

/** The flags to create a new file. They never open an existing one, not even through a symbolic link. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_ALONE = 0o600;
const MAX_NAMESAKES = 1_000;

export function createOutputFolder({ locate, now, home = homedir() }: OutputFolderOptions): OutputFolder {
  let located: string | undefined;
  // Replaces "~" here, because a program that starts this one passes it on unchanged, unlike a shell.
  const locateOnce = async () => (located ??= (await locate()).replace(/^~(?=$|[/\\])/u, () => home));

  return {
    kind: 'folder',
    async check({ extension, outputFile }) {
      const root = await openFolder(locateOnce);
      if (outputFile === undefined) return checkWritable(root);
      const { folders, name } = splitOutputFile(outputFile, extension);
      await checkWritable(await findLastFolder(root, folders));
      const found = await lstat(join(root, ...folders, name)).catch(() => undefined);
      if (found !== undefined) throw namesake(outputFile);
    },
    async save({ body, extension, pageUrl, outputFile }) {
      // Creates the folder again if it was deleted.
      const folder = await openFolder(locateOnce);
      if (outputFile !== undefined) {
        const { folders, name } = splitOutputFile(outputFile, extension);
        const path = join(await enterFolders(folder, folders), name);
        if (await writeNew(path, body)) return path;
        throw namesake(outputFile);
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

const namesake = (outputFile: string) =>
  new OutputFileError(
    `There is a file ${outputFile} already, and it is not overwritten. Call again with another outputFile, or without one.`,
  );

async function openFolder(locate: OutputFolderOptions['locate']): Promise<string> {
  const folder = await locate();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw cannotWrite(error);
  }
}

const checkWritable = (folder: string) =>
  access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw cannotWrite(error);
  });

/** Writes a new file. Resolves to true, or to false if the name is taken. */
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
  return new OutputFileError(
    `The output folder cannot be written to: ${reasonOf(error)}. Tell the user to set --output-dir or SIGNPOST_MCP_OUTPUT_DIR to a folder that can.`,
  );
}
