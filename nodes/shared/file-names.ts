import type { IExecuteFunctions } from 'n8n-workflow';
import { PerExecution } from './per-execution';
import { numberOf, parseUrl } from './values';

/** Invisible characters. Some of them change the direction of text. */
const INVISIBLE = /\p{Cf}/gu;
/** Characters that some file systems reject. */
const UNWANTED = /[\\/:*?"<>|\p{Cc}]+/gu;
/** Names that Windows treats as devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³]) *(?:\.|$)/iu;
/** The maximum number of characters of a stem, which take at most 240 bytes in UTF-8. */
const MAX_LENGTH = 60;
/** Longer query values are left out of names, because they are often tokens, and files are passed on. */
const MAX_QUERY_VALUE_LENGTH = 20;

const withoutUnwanted = (text: string) =>
  text.replace(INVISIBLE, '').replace(UNWANTED, '-').replace(/^\.+/u, '');

/** Cuts a text to MAX_LENGTH characters and makes it a usable stem: not empty, and no name of a device on Windows. */
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

interface FileName {
  readonly stem: string;
  /** The stem to use if `stem` is taken. It is also made from the page's query, which may tell two pages apart. */
  readonly stemWithQuery?: string;
  /** The extension, with its dot. */
  readonly extension: string;
}

/**
 * A file name without extension from the page's host and path, such as "example.com-news-today", and a second one with
 * the page's query, if it has one.
 */
function nameOfPage(url: string): Omit<FileName, 'extension'> {
  const page = parseUrl(url);
  if (page === undefined) return { stem: usableStem('') };
  const name = `${page.hostname}${decoded(page.pathname)}`;
  const query = [...page.searchParams]
    .filter(([, value]) => value.length <= MAX_QUERY_VALUE_LENGTH)
    .map((parameter) => parameter.filter((part) => part !== '').join('-'));
  return {
    stem: usableStem(withoutUnwanted(name)),
    ...(query.length === 0
      ? {}
      : { stemWithQuery: usableStem(withoutUnwanted([name.replace(/\/+$/u, ''), ...query].join('-'))) }),
  };
}

/**
 * The name of a captured file: the one that the user entered, or one made from the page. Keeps an extension that the
 * user wrote.
 */
export function captureFileName(chosen: string | undefined, url: string, extension: string): FileName {
  if (chosen === undefined) return { ...nameOfPage(url), extension };
  const name = withoutUnwanted(chosen);
  const own = /\.[a-z0-9]{1,5}$/iu.exec(name)?.[0];
  const stem = own === undefined ? name : name.slice(0, -own.length);
  return { stem: usableStem(stem), extension: own ?? extension };
}

/** The names taken in one execution of a node, each with the run that took it. */
interface TakenNames {
  readonly runs: Map<string, number>;
  /** Added to all names of an execution whose earlier names are not known, for example after a long Wait. */
  readonly mark: string;
}

const executions = new PerExecution<TakenNames>();

/**
 * The names that earlier runs of the node took in this execution. Names of an earlier, failed try of this run are
 * free again.
 */
function namesOfEarlierRuns(context: IExecuteFunctions, runIndex: number): TakenNames {
  const key = `${context.getExecutionId()} ${context.getNode().id}`;
  const taken = executions.get(key, () => ({
    runs: new Map<string, number>(),
    mark: runIndex === 0 ? '' : `-run-${runIndex + 1}`,
  }));
  for (const [name, run] of taken.runs) if (run >= runIndex) taken.runs.delete(name);
  return taken;
}

/** Makes names equal that are the same to file systems which ignore case and Unicode normalization. */
const foldedName = (name: string) => name.toLowerCase().normalize('NFC');

/** Gives each file of a node a different name within one execution. */
export class FileNames {
  readonly #runIndex: number;
  #taken: TakenNames | undefined;

  readonly #context: IExecuteFunctions;

  constructor(context: IExecuteFunctions) {
    this.#context = context;
    this.#runIndex = numberOf(context.evaluateExpression('{{ $runIndex }}', 0)) ?? 0;
  }

  /** Returns the name if it is free; otherwise one with the page's query, or with a number. */
  take({ stem, stemWithQuery, extension }: FileName): string {
    const { runs, mark } = (this.#taken ??= namesOfEarlierRuns(this.#context, this.#runIndex));
    const isFree = (candidate: string) => !runs.has(`${foldedName(candidate)}${foldedName(extension)}`);
    let free = [stem, stemWithQuery]
      .filter((candidate) => candidate !== undefined)
      .map((candidate) => `${candidate}${mark}`)
      .find(isFree);
    for (let number = 2; free === undefined; number += 1) {
      const candidate = `${stem}${mark}-${number}`;
      if (isFree(candidate)) free = candidate;
    }
    runs.set(`${foldedName(free)}${foldedName(extension)}`, this.#runIndex);
    return `${free}${extension}`;
  }
}
