import { constants } from 'node:fs';
import { access, lstat, mkdir, mkdtemp, open, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { enterFolders, fileNameOf, findLastFolder, OutputFileError, splitOutputFile } from './output-path.js';

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

/** How a file is to be called. */
interface OutputName {
  /** The ending that its name must have, without the dot. */
  readonly extension: string;
  /** Its name below the folder as the caller asked for it; made from host and time where it is left out. */
  readonly outputFile?: string | undefined;
}

/** A captured file on its way to the disk. */
interface OutputFile extends OutputName {
  readonly body: Buffer;
  readonly pageUrl: string;
}

/** The one folder that files are written to. */
export interface OutputFolder {
  readonly kind: 'folder';
  /** Throws OutputFileError where a file of that name cannot be written, as far as that is known before it is there. */
  check(name: OutputName): Promise<void>;
  /** Writes a file that was not there before and answers its whole path; throws OutputFileError in words for the caller. */
  save(file: OutputFile): Promise<string>;
}

interface OutputFolderOptions {
  /** Answers where the folder is; called when the first file is saved. */
  readonly locate: () => string | Promise<string>;
  readonly now: () => Date;
  /** What "~" stands for at the beginning of it. */
  readonly home?: string;
}

/** Nothing that is there already is opened, whatever it is, a link that leads elsewhere included. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_ALONE = 0o600;
const MAX_NAMESAKES = 1_000;

export function createOutputFolder({ locate, now, home = homedir() }: OutputFolderOptions): OutputFolder {
  let located: string | undefined;
  // Programs that start this one hand on "~" as it was written, which a shell would have replaced.
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
      // Made anew where its owner has thrown it away meanwhile.
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
