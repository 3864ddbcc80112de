import { connectionProblem } from './client/connection-problem.js';
import { withoutModelAdvice } from './client/signpost-api-error.js';
import type { CheckClient, McpTarget } from './protocol/check-client.js';
import { quoted, visibleLine } from './tools/foreign-text.js';

/** The result of one check. `advice` says what to change. */
export interface CheckFinding {
  readonly name: string;
  readonly state: 'works' | 'could be better' | 'does not work';
  readonly message: string;
  readonly advice?: string;
}

const MARKS = { works: '✔', 'could be better': '!', 'does not work': '✖' } as const;

/** Findings as text: each on a line, with its advice, if any, on the line below. */
export const formatFindings = (findings: readonly CheckFinding[]): string =>
  findings
    .map(
      ({ name, state, message, advice = '' }) =>
        `${MARKS[state]} ${name}: ${message}\n${advice === '' ? '' : `    ${advice}\n`}`,
    )
    .join('');

/** The line with the limits of the key in the text of get_usage. */
const LIMITS = /^Limits: (.*)\.$/mu;
/** The server's error for a key that its owner restricted to other operations. */
const RESTRICTED = /^This key is for \S.* only\./u;
const DIRECTORY = 'signpost://directory';
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const MISDIRECTED = 421;

const SAMPLE_ADVICE =
  'The operator of the server imports the whole directory with "signpost postcodes import latest".';

/**
 * The server's error message, from the JSON body at the end of a client's error message; undefined if there is none.
 */
function rejectionIn(message: string): string | undefined {
  const [, body] = /(\{.*\})\s*$/su.exec(message) ?? [];
  if (body === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' &&
      parsed !== null &&
      'error' in parsed &&
      typeof parsed.error === 'string'
      ? visibleLine(parsed.error)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The HTTP status in an error of the client; undefined if it has none. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code >= 100
    ? error.code
    : undefined;

const ADVICE: Readonly<Record<number, string>> = {
  [UNAUTHORIZED]: 'Make a key in the console of the server, in a project, and set SIGNPOST_API_KEY to it.',
  [NOT_FOUND]: 'What answers at this address is not a Signpost server, or a proxy does not pass /mcp on.',
  [MISDIRECTED]:
    'The operator of the server adds this name to SIGNPOST_PUBLIC_URL or SIGNPOST_ALLOWED_HOSTS.',
};

/** Returns a finding that a client cannot connect, with the reason and, if it is known, what to change. */
function connectionFailure(name: string, target: McpTarget, error: unknown): CheckFinding {
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if ('command' in target)
    return {
      name,
      state: 'does not work',
      message: `${target.name} does not answer a client: ${visibleLine(message)}`,
    };
  const rejection = rejectionIn(message);
  const problem =
    status === undefined
      ? connectionProblem(error)
      : `it answers ${status}${rejection === undefined ? '' : `: ${rejection}`}`;
  const advice = status === undefined ? 'Check that the server runs, and its address.' : ADVICE[status];
  return {
    name,
    state: 'does not work',
    message: `${target.url} cannot be used: ${problem}`,
    ...(advice === undefined ? {} : { advice }),
  };
}

interface ConnectionResult {
  readonly finding: CheckFinding;
  /** The HTTP status if the request was rejected. */
  readonly status?: number | undefined;
  /** The connected client; undefined if it could not connect, or if the server is not Signpost. */
  readonly client?: CheckClient;
}

/** Connects to a target as a client would. A failure is a finding too, and is not thrown. */
async function connect(name: string, target: McpTarget): Promise<ConnectionResult> {
  // The client is loaded here, because only a check needs it.
  const { connectAsClient } = await import('./protocol/check-client.js');
  try {
    const client = await connectAsClient(target);
    const { server, revision, tools } = client;
    if (server.name !== 'signpost') {
      await client.close();
      const message = `what answers is ${quoted(server.name)}, not Signpost`;
      return { finding: { name, state: 'does not work', message } };
    }
    const where = 'command' in target ? `${target.name} starts` : `${target.url} answers`;
    const finding: CheckFinding = {
      name,
      state: 'works',
      message: `${where}, Signpost ${server.version}, revision ${revision} of the protocol, ${tools.length} tools: ${tools.join(', ')}`,
    };
    return { finding, client };
  } catch (error) {
    return { finding: connectionFailure(name, target, error), status: statusOf(error) };
  }
}

/** Connects to a target and lists its tools. Makes no metered call. */
export async function checkConnection(
  name: string,
  target: McpTarget,
): Promise<Omit<ConnectionResult, 'client'>> {
  const { finding, client, status } = await connect(name, target);
  await client?.close();
  return { finding, status };
}

/**
 * Findings from a metered call of get_usage: the project of the key, and how much of its limits is left. If the key may
 * not call get_usage, only that the key is accepted; if the call fails otherwise, why.
 */
async function signInFindings(client: CheckClient, advice: string): Promise<CheckFinding[]> {
  const { isError, text, fields } = await client.call('get_usage', {});
  if (isError && RESTRICTED.test(text))
    return [
      {
        name: 'Sign-in',
        state: 'works',
        message: `the key is accepted; its limits are not known: ${withoutModelAdvice(visibleLine(text))}`,
      },
    ];
  const [, limits] = LIMITS.exec(text) ?? [];
  if (limits === undefined || (isError && limits === 'none'))
    return [
      { name: 'Sign-in', state: 'does not work', message: withoutModelAdvice(visibleLine(text)), advice },
    ];
  const project = fields['project'];
  const signedIn =
    typeof project === 'string'
      ? `the key belongs to the project ${quoted(project)}`
      : 'calls are accepted; the server does not say of which project';
  const isUsedUp = /\(0 left/u.test(limits);
  return [
    { name: 'Sign-in', state: 'works', message: signedIn },
    {
      name: 'Limits',
      state: isUsedUp ? 'could be better' : 'works',
      message: limits,
      ...(isUsedUp ? { advice: 'Calls are refused until then. The operator can raise the limits.' } : {}),
    },
  ];
}

const directoryWords = (isSample: boolean, details = ''): CheckFinding =>
  isSample
    ? {
        name: 'Directory',
        state: 'could be better',
        advice: SAMPLE_ADVICE,
        message: 'the server has only a small sample of the postcodes',
      }
    : { name: 'Directory', state: 'works', message: `a whole directory was imported${details}` };

/**
 * A finding about whether postcodes come from the sample. If the checked program does not know, makes a metered call to
 * find out; undefined if the key may not make that call.
 */
async function directoryFinding(client: CheckClient): Promise<CheckFinding | undefined> {
  const info: unknown = JSON.parse(await client.read(DIRECTORY));
  if (typeof info === 'object' && info !== null && 'isSample' in info && typeof info.isSample === 'boolean') {
    const edition = 'edition' in info ? `, edition ${quoted(String(info.edition))}` : '';
    return directoryWords(info.isSample, edition);
  }
  const { isError, text, fields } = await client.call('validate_postcode', { postcode: 'SW1A 1AA' });
  if (isError && RESTRICTED.test(text)) return undefined;
  if (isError)
    return { name: 'Directory', state: 'could be better', message: withoutModelAdvice(visibleLine(text)) };
  const { note } = fields;
  return directoryWords(typeof note === 'string' && /\bsample\b/u.test(note));
}

/** Options of a check. */
export interface CheckOptions {
  /** Advice on what to change if calls are not accepted. */
  readonly advice: string;
}

/**
 * Connects to a target as a client would, and returns findings about what the client sees: whether it reaches the
 * server, the revision, the tools, the project, the limits and the directory. Makes at most two metered calls.
 */
export async function checkMcp(target: McpTarget, { advice }: CheckOptions): Promise<CheckFinding[]> {
  const { finding, client } = await connect('Connection', target);
  if (client === undefined) return [finding];
  try {
    const signIn = await signInFindings(client, advice);
    const findings = [finding, ...signIn];
    const mayAsk = signIn.every(({ state }) => state === 'works');
    const directory = mayAsk ? await directoryFinding(client) : undefined;
    return directory === undefined ? findings : [...findings, directory];
  } catch (error) {
    const message = error instanceof Error ? visibleLine(error.message) : String(error);
    return [finding, { name: 'Calls', state: 'does not work', message, advice }];
  } finally {
    await client.close();
  }
}
