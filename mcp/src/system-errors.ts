/** The code of an error from Node.js or the database engine, such as ENOENT; empty if it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/** The meaning of each code, as the end of a sentence such as "The file x cannot be used: it is a folder." */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  SQLITE_FULL: 'its disk is full',
  SQLITE_CANTOPEN: 'this user may not use it',
  SQLITE_READONLY: 'it can only be read',
  EDQUOT: "this user's share of its disk is used up",
  EFBIG: 'it would be larger than this user or its disk may have',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  EADDRINUSE: 'another program uses it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EAFNOSUPPORT: 'this machine has no addresses of that kind',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not found',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it does not answer',
  ENETUNREACH: 'it does not answer',
};

/** The meaning of an error's code in words; undefined if MEANINGS does not have the code. */
export const meaningOf = (error: unknown): string | undefined => MEANINGS[errorCode(error)];

/** The reason of a failure for a message: the meaning of its code, the code itself, or "unknown reason". */
export const reasonOf = (error: unknown): string =>
  meaningOf(error) ?? (errorCode(error) || 'unknown reason');
