import { errorCode } from '../error-code.js';
import { ServiceError } from '../service-error.js';

const adviceByCode: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file ${path}, or no folder for it.`,
  ENOTDIR: (path) => `There is no file ${path}: a part of its path is no folder.`,
  EISDIR: (path) => `${path} is a folder; name a file.`,
  EACCES: (path) => `This user may not use the file ${path}. Allow it, or name another file.`,
  EPERM: (path) => `This user may not use the file ${path}. Allow it, or name another file.`,
  EROFS: (path) => `The file ${path} would be on a disk that can only be read. Name another file.`,
  ENOSPC: (path) => `The disk of ${path} is full. Make room, or name a file on another disk.`,
  EDQUOT: (path) =>
    `This user's share of the disk of ${path} is used up. Make room, or name a file elsewhere.`,
  EFBIG: (path) =>
    `The file ${path} would be larger than this user or its disk may have. Name a file elsewhere.`,
};

/** The words for what can be wrong with a backup's file; an error of another kind comes back as it is. */
export function fileProblem(path: string, error: unknown): unknown {
  const advice = adviceByCode[errorCode(error)];
  return advice === undefined ? error : new ServiceError('invalidRequest', advice(path), { cause: error });
}
