import { parseArgs } from 'node:util';

const PARTS = ['lookups', 'tokens', 'captures', 'mcp'];

const HELP = `npm run bench -- [options]

  --only lookups|tokens|captures|mcp  measure one part
  --seconds N                seconds per measurement of look-ups and tokens (default 5)
  --rounds N                 captures per capture measurement (default 20)
  --directory FILE           import this ONSPD or NSPL first; without it the sample is measured
  --postcodes-io URL         measure a running postcodes.io too
  --browserless URL          measure a running browserless too
  --json FILE                where the figures go (default .cache/bench.json)
`;

/** What the caller of the benchmark chose. */
export interface BenchOptions {
  readonly lookups: boolean;
  readonly tokens: boolean;
  readonly captures: boolean;
  readonly mcp: boolean;
  readonly seconds: number;
  readonly rounds: number;
  readonly directory: string | undefined;
  readonly postcodesIo: string | undefined;
  readonly browserless: string | undefined;
  readonly json: string;
}

const positive = (name: string, text: string) => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, but is "${text}".\n\n${HELP}`);
  return value;
};

/** Reads the words of the command line; undefined where only the help was asked for. */
export function readOptions(words: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '20' },
      directory: { type: 'string' },
      'postcodes-io': { type: 'string' },
      browserless: { type: 'string' },
      json: { type: 'string', default: '.cache/bench.json' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const { only } = values;
  if (only !== undefined && !PARTS.includes(only)) {
    throw new Error(`--only must be one of ${PARTS.join(', ')}, but is "${only}".\n\n${HELP}`);
  }
  const isMeasured = (part: string) => only === undefined || only === part;
  return {
    lookups: isMeasured('lookups'),
    tokens: isMeasured('tokens'),
    captures: isMeasured('captures'),
    mcp: isMeasured('mcp'),
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    directory: values.directory,
    postcodesIo: values['postcodes-io'],
    browserless: values.browserless,
    json: values.json,
  };
}
