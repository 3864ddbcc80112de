import { readFileSync, statSync } from 'node:fs';

/**
 * Returns a function that returns the parsed content of a small system file. It reads the file again if it has changed.
 * A file that cannot be read counts as empty.
 *
 * Reads synchronously on purpose: asynchronous reads wait for Node's thread pool, which may be full of slow lookups
 * that libraries make with getaddrinfo.
 */
export function createChangingFile<Content>(path: string, parse: (text: string) => Content): () => Content {
  let version = '';
  let content = parse('');
  const versionNow = () => {
    try {
      const { mtimeNs, size, ino } = statSync(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    } catch {
      return '';
    }
  };
  const read = () => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  return () => {
    const newVersion = versionNow();
    if (newVersion === version) return content;
    version = newVersion;
    content = parse(read());
    return content;
  };
}
