import type { IExecuteFunctions } from 'n8n-workflow';
import { numberOf, parseUrl } from './values';

/** Characters that nobody sees, some of which turn the order of the others. */
const INVISIBLE = /\p{Cf}/gu;
/** Characters that some file system refuses. */
const UNWANTED = /[\\/:*?"<>|\p{Cc}]+/gu;
/** What Windows takes for a device, whatever follows the dot. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³]) *(?:\.|$)/iu;
/** So short that the name fits into every file system whatever its letters are, with its number and extension. */
const MAX_LENGTH = 60;
/** Longer values of a query are left out of names: they are often tokens, and files are passed on. */
const MAX_QUERY_VALUE_LENGTH = 20;
/** How many executions are remembered with the names of their files. */
const MAX_EXECUTIONS = 1_000;

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

interface FileName {
  readonly stem: string;
  /** Tried if the stem is taken: the page's query tells it from another one. */
  readonly stemWithQuery?: string;
  /** With its dot. */
  readonly extension: string;
}

/** The page's host and path, such as "example.com-news-today", also with what its query says. */
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

/** The name of a captured file: the user's, else that of the page. A user's extension stays as it is. */
export function captureFileName(chosen: string | undefined, url: string, extension: string): FileName {
  if (chosen === undefined) return { ...nameOfPage(url), extension };
  const name = withoutUnwanted(chosen);
  const own = /\.[a-z0-9]{1,5}$/iu.exec(name)?.[0];
  const stem = own === undefined ? name : name.slice(0, -own.length);
  return { stem: usableStem(stem), extension: own ?? extension };
}

/** Names taken in one execution of a node, each with the run that took it. */
interface TakenNames {
  readonly runs: Map<string, number>;
  /** Goes into every name of an execution whose earlier names are not known here, as after a long Wait. */
  readonly mark: string;
}

const executions = new Map<string, TakenNames>();

/** The names that earlier runs of the node have taken in this execution; those of a failed try of this run are free. */
function namesOfEarlierRuns(context: IExecuteFunctions, runIndex: number): TakenNames {
  const key = `${context.getExecutionId()} ${context.getNode().id}`;
  const taken = executions.get(key) ?? {
    runs: new Map<string, number>(),
    mark: runIndex === 0 ? '' : `-run-${runIndex + 1}`,
  };
  for (const [name, run] of taken.runs) if (run >= runIndex) taken.runs.delete(name);
  executions.delete(key);
  executions.set(key, taken);
  const [oldest] = executions.keys();
  if (executions.size > MAX_EXECUTIONS && oldest !== undefined) executions.delete(oldest);
  return taken;
}

/** File systems to which case and spelling are one take these for the same. */
const formOf = (name: string) => name.toLowerCase().normalize('NFC');

/** Names the files of one run so that no two files of the node have the same name in one execution. */
export class FileNames {
  readonly #runIndex: number;
  #taken: TakenNames | undefined;

  constructor(private readonly context: IExecuteFunctions) {
    this.#runIndex = numberOf(context.evaluateExpression('{{ $runIndex }}', 0)) ?? 0;
  }

  /** Returns the name if it is free, else the name with the page's query, or with a number. */
  take({ stem, stemWithQuery, extension }: FileName): string {
    const { runs, mark } = (this.#taken ??= namesOfEarlierRuns(this.context, this.#runIndex));
    const isFree = (candidate: string) => !runs.has(`${formOf(candidate)}${formOf(extension)}`);
    let free = [stem, stemWithQuery]
      .filter((candidate) => candidate !== undefined)
      .map((candidate) => `${candidate}${mark}`)
      .find(isFree);
    for (let number = 2; free === undefined; number += 1) {
      const candidate = `${stem}${mark}-${number}`;
      if (isFree(candidate)) free = candidate;
    }
    runs.set(`${formOf(free)}${formOf(extension)}`, this.#runIndex);
    return `${free}${extension}`;
  }
}
