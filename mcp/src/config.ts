import { isHost, isWebOrigin } from '@signpost/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { McpCommandVariable } from './variables.js';
import { VERSION } from './version.js';

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';
const DEFAULT_PORT = 3001;
/** Short enough for a person who waits, and for clients that abort a call after a minute. */
const DEFAULT_MAX_WAIT_SECONDS = 20;

const wholeNumber = (max: number) => (value: string) => {
  const number = /^\d{1,6}$/u.test(value) ? Number(value) : Number.NaN;
  if (!(number <= max)) throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
  return number;
};

const list = (isEntry: (text: string) => boolean, words: string) => (value: string) => {
  const parts = value.split(/[\s,]+/u).filter((part) => part !== '');
  if (!parts.every((part) => part === '*' || isEntry(part))) throw new InvalidArgumentError(words);
  return parts;
};

const hosts = list(
  isHost,
  'They must be names, each with a port or without, such as "signpost.example", or "*".',
);
const origins = list(isWebOrigin, 'They must be origins such as "https://app.example", or "*".');

const yesOrNo = (value: string) => {
  if (value !== 'yes' && value !== 'no') throw new InvalidArgumentError('It must be "yes" or "no".');
  return value === 'yes';
};

const publicUrl = (value: string) => {
  if (!isWebOrigin(value))
    throw new InvalidArgumentError('It must be an address without a path, such as "https://mcp.example".');
  return new URL(value).origin;
};

const option = (flags: string, variable: McpCommandVariable, description: string) =>
  new Option(flags, description).env(variable);

/** The settings from the command line and the environment. */
export interface Options {
  readonly baseUrl: string;
  readonly http: boolean;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly outputDir?: string;
  /** The public origin of this MCP server with --http, such as "https://mcp.example". */
  readonly publicUrl?: string;
  readonly maxWaitSeconds: number;
  /** Whether to connect as a client would, print the findings, and end. */
  readonly check?: boolean;
  /** Whether `check` prints JSON. */
  readonly json?: boolean;
}

const httpOption = () =>
  option(
    '--http [yes|no]',
    'SIGNPOST_MCP_HTTP',
    'serve Streamable HTTP at /mcp instead of standard input and output',
  )
    .preset('yes')
    .argParser(yesOrNo)
    .default(false, 'no');

const serverOptions = () => [
  option('--base-url <url>', 'SIGNPOST_BASE_URL', 'address of the Signpost server').default(DEFAULT_BASE_URL),
  option(
    '--output-dir <folder>',
    'SIGNPOST_MCP_OUTPUT_DIR',
    'where captures are saved; default: "signpost" in your downloads, or a temporary folder. With --http: nowhere, but each capture gets an address for ten minutes',
  ),
  option(
    '--max-wait-seconds <n>',
    'SIGNPOST_MCP_MAX_WAIT_SECONDS',
    'how long to wait for a limit or an overload to pass',
  )
    .argParser(wholeNumber(600))
    .default(DEFAULT_MAX_WAIT_SECONDS),
];

/** The options that apply with --http. */
const listenOptions = () => [
  option('--host <host>', 'SIGNPOST_MCP_HOST', 'address to listen on, with --http').default('127.0.0.1'),
  option('--port <n>', 'SIGNPOST_MCP_PORT', 'port to listen on, with --http')
    .argParser(wholeNumber(65_535))
    .default(DEFAULT_PORT),
  option(
    '--public-url <url>',
    'SIGNPOST_MCP_PUBLIC_URL',
    'address at which callers reach the HTTP server, for the addresses of files; default: host and port',
  ).argParser(publicUrl),
  option(
    '--allowed-hosts <names>',
    'SIGNPOST_MCP_ALLOWED_HOSTS',
    'more host names of the HTTP server, separated by commas',
  )
    .argParser(hosts)
    .default([], 'none'),
  option(
    '--allowed-origins <origins>',
    'SIGNPOST_MCP_ALLOWED_ORIGINS',
    'origins of web pages that may call the HTTP server',
  )
    .argParser(origins)
    .default([], 'none'),
];

/** Creates the command `signpost-mcp`, which calls `run` with its options. */
export function createCommand(run: (options: Options) => Promise<void>): Command {
  const command = new Command('signpost-mcp')
    .description(
      'An MCP server for a Signpost server: UK postcodes, screenshots and PDFs for assistants.\n' +
        'The API key comes only from the variable SIGNPOST_API_KEY, because other users can see command lines.',
    )
    .version(VERSION);
  for (const each of [...serverOptions(), httpOption(), ...listenOptions()]) command.addOption(each);
  return command
    .option(
      '--check',
      'connect as a client would with these settings, print what it sees and what to change, and exit with 0 or 1. Counts as one or two calls of the key',
    )
    .option('--json', 'with --check: print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ SIGNPOST_API_KEY=sp_live_... signpost-mcp --base-url https://signpost.example\n' +
        '  $ SIGNPOST_API_KEY=sp_live_... signpost-mcp --http --port 3001\n' +
        '  $ SIGNPOST_API_KEY=sp_live_... signpost-mcp --base-url https://signpost.example --check\n\n' +
        'The Signpost server shows its documents at /docs, those about assistants at /docs/how-to/connect-assistants.',
    )
    .showHelpAfterError('(signpost-mcp --help lists the options)')
    .exitOverride()
    .action(run);
}
