import { parseWebAddress } from '@signpost/contract';
import type { Options } from './config.js';
import { type CheckFinding, checkConnection, checkMcp, formatFindings } from './check.js';

/** The running command. Without the options of the check, it is the command that a client starts. */
interface CheckedProgram {
  readonly execPath: string;
  readonly argv: readonly string[];
  /** The environment variables as they were at the start, including those with invalid values. */
  readonly env: NodeJS.ProcessEnv;
  /** The API key as the program reads it. */
  readonly apiKey: string | undefined;
}

const CHECK_OPTIONS = new Set(['--check', '--json']);
/** Values of --host with which a server listens on all addresses. The check then connects to 127.0.0.1. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

const keyWords = (apiKey: string | undefined) =>
  apiKey === undefined ? 'SIGNPOST_API_KEY is not set' : 'SIGNPOST_API_KEY is set';

const keyHeaders = (apiKey: string | undefined): Readonly<Record<string, string>> =>
  apiKey === undefined ? {} : { 'X-Api-Key': apiKey };

/** The address at which `--http` serves. */
function servedUrl({ host, port, publicUrl }: Options): string {
  const reached = EVERY_ADDRESS.has(host) ? '127.0.0.1' : host;
  return `${publicUrl ?? `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`}/mcp`;
}

/** The address of the server without user name and password; undefined if it is not valid. */
function shownBaseUrl({ baseUrl }: Options): string | undefined {
  const url = parseWebAddress(baseUrl);
  return url === undefined ? undefined : `${url.origin}${url.pathname}`.replace(/\/+$/u, '');
}

/** A finding about whether clients can also use the address `/mcp` of the Signpost server, which a proxy may block. */
async function addressFinding(baseUrl: string, apiKey: string | undefined): Promise<CheckFinding> {
  const url = `${baseUrl}/mcp`;
  const { finding } = await checkConnection('Address', { url, headers: keyHeaders(apiKey) });
  if (finding.state === 'works')
    return { name: 'Address', state: 'works', message: `clients that take an address can use ${url}` };
  return { ...finding, state: 'could be better' };
}

/** Checks the program on standard input and output, or with --http the address at which it serves. */
async function examine(options: Options, program: CheckedProgram): Promise<readonly CheckFinding[]> {
  const { apiKey } = program;
  if (options.http)
    return checkMcp(
      { url: servedUrl(options), headers: keyHeaders(apiKey) },
      { advice: `signpost-mcp --http has to run with the right settings. Here, ${keyWords(apiKey)}.` },
    );
  const [script = '', ...words] = program.argv.slice(1);
  const args = [script, ...words.filter((word) => !CHECK_OPTIONS.has(word))];
  const baseUrl = shownBaseUrl(options);
  const findings = await checkMcp(
    { name: 'the program', command: program.execPath, args, env: program.env },
    {
      advice: `The address of the server is ${baseUrl ?? 'not valid'} (--base-url, SIGNPOST_BASE_URL), and ${keyWords(apiKey)}. Keys are made in the console of the server, in a project.`,
    },
  );
  const isBroken = findings.some(({ state }) => state === 'does not work');
  return isBroken || baseUrl === undefined ? findings : [...findings, await addressFinding(baseUrl, apiKey)];
}

/** Prints the findings. Resolves to false if one says that something does not work, otherwise to true. */
export async function runCheck(
  options: Options,
  program: CheckedProgram,
  print: (text: string) => void,
): Promise<boolean> {
  const findings = await examine(options, program);
  print(options.json === true ? `${JSON.stringify(findings, undefined, 2)}\n` : formatFindings(findings));
  return findings.every(({ state }) => state !== 'does not work');
}
