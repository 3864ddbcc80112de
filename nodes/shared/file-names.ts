import { parseUrl } from './values';

/** Characters that nobody sees, some of which turn the order of the others. */
const INVISIBLE = /\p{Cf}/gu;
/** Characters that some file system refuses. */
const UNWANTED = /[\\/:*?"<>|\p{Cc}]+/gu;
/** What Windows takes for a device, whatever follows the dot. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³]) *(?:\.|$)/iu;
/** So short that the name fits into every file system whatever its letters are, with its number and extension. */
const MAX_LENGTH = 60;

const withoutUnwanted = (text: string) =>
  text.replace(INVISIBLE, '').replace(UNWANTED, '-').replace(/^\.+/u, '');

/** A stem that every file system takes. */
function usableStem(text: string): string {
  const stem = [...text]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[-. ]+$/u, '');
  if (stem === '') return 'page';
  return RESERVED.test(stem) ? `_${stem}` : stem;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The page's host and path, such as "example.com-news-today". */
function nameOfPage(url: string): string {
  const page = parseUrl(url);
  return page === undefined ? '' : withoutUnwanted(`${page.hostname}${decoded(page.pathname)}`);
}

/** The name of a captured file: what the user wants, else that of the page. A user's extension stays as it is. */
export function captureFileName(wanted: string | undefined, url: string, extension: string): FileName {
  if (wanted === undefined) return { stem: usableStem(nameOfPage(url)), extension };
  const name = withoutUnwanted(wanted);
  const own = /\.[a-z0-9]{1,5}$/iu.exec(name)?.[0];
  const stem = own === undefined ? name : name.slice(0, -own.length);
  return { stem: usableStem(stem), extension: own ?? extension };
}

interface FileName {
  readonly stem: string;
  /** With its dot. */
  readonly extension: string;
}

/** The names of the files of one execution: where two would be the same, the later one gets a number. */
export class FileNames {
  /** How often each name was asked for, in the form of file systems to which case and spelling are one. */
  readonly #asked = new Map<string, number>();

  /** Answers the name where it is free, else the name with a number. */
  take({ stem, extension }: FileName): string {
    const name = `${stem}${extension}`;
    const form = name.toLowerCase().normalize('NFC');
    const number = (this.#asked.get(form) ?? 0) + 1;
    this.#asked.set(form, number);
    return number === 1 ? name : this.take({ stem: `${stem}-${number}`, extension });
  }
}
