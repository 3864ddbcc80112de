import { errorCode, ServiceError } from '../../platform/errors.js';

const pathIsFile = (file: string) =>
  `The database ${file} cannot be made: a part of its path is a file. Choose another data folder with SIGNPOST_DATA_DIR.`;
const folderIsRefused = (file: string) =>
  `The database ${file} cannot be made: its folder cannot be. Choose another data folder with SIGNPOST_DATA_DIR.`;
const diskIsFull = (file: string) =>
  `The disk that holds the database ${file} is full. Make room and try again.`;

const adviceByCode: Record<string, (file: string) => string> = {
  SQLITE_NOTADB: (file) =>
    `${file} is not a database. Signpost leaves it as it is: restore a backup there, or move the file away to start ` +
    'with an empty database.',
  SQLITE_CORRUPT: (file) =>
    `The database ${file} is damaged. Signpost leaves it as it is: restore a backup there, or move the file away ` +
    'together with its -wal and -shm files to start with an empty database.',
  SQLITE_BUSY: (file) =>
    `The database ${file} stayed locked by another program. Close that program, or try again in a moment.`,
  SQLITE_READONLY: (file) =>
    `The database ${file} cannot be written. Give the user that Signpost runs as the right to write it and its folder.`,
  SQLITE_CANTOPEN: (file) =>
    `The database ${file} cannot be opened. Give the user that Signpost runs as the right to its folder.`,
  SQLITE_FULL: diskIsFull,
  ENOSPC: diskIsFull,
  EDQUOT: diskIsFull,
  EACCES: (file) =>
    `The database ${file} cannot be opened. Give the user that Signpost runs as the right to the file and its folder, ` +
    'or choose another data folder with SIGNPOST_DATA_DIR.',
  EISDIR: (file) => `The database ${file} is a folder. Move it away, or choose another data folder.`,
  EROFS: (file) =>
    `The database ${file} cannot be written: its disk is read-only. Make it writable, or choose another data folder.`,
  ENOTDIR: pathIsFile,
  EEXIST: pathIsFile,
  ENOENT: folderIsRefused,
  EPERM: folderIsRefused,
  ENAMETOOLONG: folderIsRefused,
  ELOOP: folderIsRefused,
};

/** The words for what can be wrong with a database file; an error that is not about the file comes back as it is. */
export function sqliteProblem(file: string, error: unknown): unknown {
  const advice = adviceByCode[errorCode(error)];
  return advice === undefined ? error : new ServiceError('internal', advice(file), { cause: error });
}
