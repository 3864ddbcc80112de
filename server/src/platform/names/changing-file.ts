import { readFileSync, statSync } from 'node:fs';

/**
 * Returns the parsed content of a small system file, and reads it again after it has changed. A file that cannot be
 * read counts as empty.
 *
 * Reads synchronously on purpose: asynchronous reads wait for the thread pool, which slow lookups of other programs'
 * libraries may have filled.
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
