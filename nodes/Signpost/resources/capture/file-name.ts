import { parseUrl } from '../../../shared/parse-url';

/** Characters that some file system refuses. */
const UNWANTED = /[\\/:*?"<>|\p{Cc}]+/gu;
/** So short that the name fits into every file system whatever its letters are, with its number and extension. */
const MAX_LENGTH = 60;

const withoutUnwanted = (text: string) => text.replace(UNWANTED, '-').replace(/^\.+/u, '');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The page's host and path as a name, such as "example.com-news-today". */
function nameOfPage(url: string): string {
  const page = parseUrl(url);
  if (page === undefined) return 'page';
  const name = withoutUnwanted(`${page.hostname}${decoded(page.pathname)}`);
  return (
    [...name]
      .slice(0, MAX_LENGTH)
      .join('')
      .replace(/[-. ]+$/u, '') || 'page'
  );
}

export interface FileNameParts {
  readonly stem: string;
  /** With its dot; undefined where the user has given none. */
  readonly extension: string | undefined;
}

/** The name of a captured file: what the user wants, else that of the page. A user's extension stays as it is. */
export function captureFileName(wanted: string | undefined, url: string): FileNameParts {
  if (wanted === undefined) return { stem: nameOfPage(url), extension: undefined };
  const name = withoutUnwanted(wanted);
  const extension = /\.[a-z0-9]{1,5}$/iu.exec(name)?.[0];
  const stem = extension === undefined ? name : name.slice(0, -extension.length);
  return { stem: stem === '' ? 'page' : stem, extension };
}
