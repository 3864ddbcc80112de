import { Agent, request } from 'node:http';

/** One request as its caller saw it. Times are by this machine's clock, in milliseconds. */
export interface Call {
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** The status, or how the connection ended without one. */
  readonly outcome: number | string;
  /** The body of a response with another status than 200; otherwise empty. */
  readonly words: string;
  /** The Retry-After of a rejected request, in seconds. */
  readonly retryAfter?: string | undefined;
}

/** A key or token, with the requests to make with it. */
export interface Caller {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly betweenCallsMs: number;
  /** The number of connections that send requests at once. */
  readonly connections: number;
}

export interface Calling {
  readonly calls: readonly Call[];
  /** The number of connections that send requests at once. */
  readonly connections: number;
  /** Stops once all open requests have ended. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const LOOK_UP = JSON.stringify({ postcode: 'SW1A 1AA' });

function send(
  agent: Agent,
  url: string,
  { path, headers }: Caller,
): Promise<Omit<Call, 'sentAtMs' | 'endedAtMs'>> {
  const isLookUp = path === '/api/postcode/lookup';
  const method = isLookUp ? 'POST' : 'GET';
  const sent = { ...headers, ...(isLookUp ? { 'Content-Type': 'application/json' } : {}) };
  return new Promise((resolve) => {
    const outgoing = request(url + path, { agent, method, headers: sent, timeout: TIMEOUT_MS }, (answer) => {
      let words = '';
      answer.setEncoding('utf8').on('data', (text: string) => (words += text));
      answer.once('end', () => {
        const status = answer.statusCode ?? 0;
        const retryAfter = answer.headers['retry-after'];
        resolve({ outcome: status, words: status === 200 ? '' : words, retryAfter });
      });
      answer.once('error', (error) => resolve({ outcome: error.message, words: '' }));
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.once('error', (error) => resolve({ outcome: error.message, words: '' }));
    outgoing.end(isLookUp ? LOOK_UP : undefined);
  });
}

/** Sends requests repeatedly on kept-alive connections until stopped. */
export function startCalling(url: string, caller: Caller): Calling {
  const agent = new Agent({ keepAlive: true, maxSockets: caller.connections });
  const calls: Call[] = [];
  let isOver = false;
  const keepCalling = async () => {
    while (!isOver) {
      const sentAtMs = Date.now();
      const answer = await send(agent, url, caller);
      calls.push({ ...answer, sentAtMs, endedAtMs: Date.now() });
      await new Promise((resolve) => setTimeout(resolve, caller.betweenCallsMs));
    }
  };
  const running = Array.from({ length: caller.connections }, keepCalling);
  return {
    calls,
    connections: caller.connections,
    async stop() {
      isOver = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}

/** A caller that looks up a postcode with a key. */
export const lookingUp = (apiKey: string, connections: number, betweenCallsMs: number): Caller => ({
  path: '/api/postcode/lookup',
  headers: { 'X-Api-Key': apiKey },
  connections,
  betweenCallsMs,
});

/** A caller that asks for the status of an access token. */
export const askingStatus = (accessToken: string, connections: number, betweenCallsMs: number): Caller => ({
  path: '/api/token/status',
  headers: { Authorization: `Bearer ${accessToken}` },
  connections,
  betweenCallsMs,
});

export const acknowledged = (calls: readonly Call[]) => calls.filter(({ outcome }) => outcome === 200);

/** The 99th percentile of the times of successful requests, in milliseconds. */
export function p99Ms(calls: readonly Call[]): number {
  const times = acknowledged(calls).map(({ sentAtMs, endedAtMs }) => endedAtMs - sentAtMs);
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? NaN;
}

/** The number of requests by outcome, in words. */
export function kindsInWords(calls: readonly Call[]): string {
  const counts = new Map<number | string, number>();
  for (const { outcome } of calls) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return Array.from(counts, ([outcome, count]) => `${count} × ${outcome}`).join(', ') || 'none';
}
