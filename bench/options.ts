import { parseUrl } from '@signpost/contract';
import { parseArgs } from 'node:util';

export const PARTS = [
  'lookups',
  'wire',
  'records',
  'servers',
  'tokens',
  'links',
  'refusals',
  'pages',
  'attacks',
  'captures',
  'browsers',
  'mcp',
  'capacity',
  'simulation',
] as const;
export type Part = (typeof PARTS)[number];

/** Parts that run only if asked for, because their figures are on a page of their own. */
const UNASKED_LEFT_OUT: readonly Part[] = ['capacity', 'simulation'];

/** Pages by other authors, from packages that the corpus tests download. */
export const CORPUS_PAGES = ['dashboard', 'article', 'agency'] as const;
export type CorpusPage = (typeof CORPUS_PAGES)[number];

export const CAPTURE_PAGES = ['small', 'scripts', 'heavy', 'tall', 'lazy', ...CORPUS_PAGES] as const;
export type CapturePage = (typeof CAPTURE_PAGES)[number];

const HELP = `npm run bench -- [options]

  --only PARTS               measure these, separated by commas: ${PARTS.join(', ')};
                             without it all but ${UNASKED_LEFT_OUT.join(' and ')}
  --seconds N                seconds per measurement of lookups, servers, tokens, links and MCP (default 5)
  --cases PAGES              capture only these pages, separated by commas: ${CAPTURE_PAGES.join(', ')}
  --attacks WORDS            run only the attacks whose name contains these words
  --corpus                   capture three pages of the test corpus too, whose packages are fetched once
  --capture-seconds N        seconds for one case of captures, shared by the ways that take turns (default 16)
  --rounds N                 turns at most that each way of capturing gets in a case (default 3)
  --directory FILE           import this ONSPD or NSPL first; without it the sample is measured
  --postcodes-io URL         measure a running postcodes.io too
  --browserless URL          measure a running browserless too, e.g. http://127.0.0.1:3001/?token=TOKEN
  --json FILE                where the figures go (default .cache/bench.json)
  --markdown FILE            put the tables between their markers in this file too, e.g. docs/benchmarks.md
`;

/** The options that the user of the benchmark chose. */
export interface BenchOptions {
  readonly parts: ReadonlySet<Part>;
  readonly pages: ReadonlySet<CapturePage>;
  /** The folder with the packages of the test corpus; undefined if its pages are not captured. */
  readonly corpus: string | undefined;
  /** Only attacks whose name contains this text are run; undefined for all. */
  readonly attacks: string | undefined;
  readonly seconds: number;
  readonly captureSeconds: number;
  readonly rounds: number;
  readonly directory: string | undefined;
  readonly postcodesIo: string | undefined;
  /** The address of a browserless. Its query string may contain a token, so never print or store it. */
  readonly browserless: URL | undefined;
  readonly json: string;
  readonly markdown: string | undefined;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, but is "${text}".\n\n${HELP}`);
  return value;
}

/** Parses a comma-separated list. Throws if a word is not in `known`. Without a list, returns all of `known`. */
function chosen<Word extends string>(
  name: string,
  known: readonly Word[],
  text: string | undefined,
): ReadonlySet<Word> {
  if (text === undefined) return new Set(known);
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !known.some((one) => one === word));
  if (unknown !== undefined) {
    throw new Error(
      `--${name} takes ${known.join(', ')}, separated by commas, but not "${unknown}".\n\n${HELP}`,
    );
  }
  return new Set(known.filter((word) => words.includes(word)));
}

function address(name: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = /^https?:/u.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) {
    throw new Error(`--${name} must be an http or https address.\n\n${HELP}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(`--${name} takes no user and password; a token goes into its query: /?token=…`);
  }
  return url;
}

/** Parses the command line. If it asks for help, prints the help and returns undefined. */
export function readOptions(words: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      cases: { type: 'string' },
      attacks: { type: 'string' },
      corpus: { type: 'boolean', default: false },
      'capture-seconds': { type: 'string', default: '16' },
      rounds: { type: 'string', default: '3' },
      directory: { type: 'string' },
      'postcodes-io': { type: 'string' },
      browserless: { type: 'string' },
      json: { type: 'string', default: '.cache/bench.json' },
      markdown: { type: 'string' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  return {
    parts: chosen(
      'only',
      PARTS,
      values.only ?? PARTS.filter((part) => !UNASKED_LEFT_OUT.includes(part)).join(','),
    ),
    pages: chosen('cases', CAPTURE_PAGES, values.cases),
    corpus: values.corpus ? process.env['SIGNPOST_CORPUS'] : undefined,
    attacks: values.attacks,
    seconds: positive('seconds', values.seconds),
    captureSeconds: positive('capture-seconds', values['capture-seconds']),
    rounds: positive('rounds', values.rounds),
    directory: values.directory,
    postcodesIo: address('postcodes-io', values['postcodes-io'])?.href.replace(/\/$/u, ''),
    browserless: address('browserless', values.browserless),
    json: values.json,
    markdown: values.markdown,
  };
}
