import { Agent, request } from 'node:http';

/** Well-behaved callers that look up postcodes continuously, on kept-alive connections. */
export interface Bystanders {
  /** Stops them and returns their results. */
  stop(): Promise<Fared>;
}

export interface Fared {
  readonly answered: number;
  /** The outcomes of requests whose status was not 200. */
  readonly failures: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const BODY = JSON.stringify({ postcode: 'SW1A 1AA' });
const BETWEEN_LOOKUPS_MS = 10;

function lookUp(agent: Agent, url: string, apiKey: string): Promise<number> {
  const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json', 'Content-Length': BODY.length };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/postcode/lookup`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject).end(BODY);
  });
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

/** Starts callers, four by default, each on its own connection. */
export function startBystanders(url: string, apiKey: string, callers = 4): Bystanders {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const timesMs: number[] = [];
  const failures: string[] = [];
  let isStopped = false;
  const call = async () => {
    while (!isStopped) {
      const startedAtMs = performance.now();
      const outcome = await lookUp(agent, url, apiKey).catch(String);
      if (outcome === 200) timesMs.push(performance.now() - startedAtMs);
      else failures.push(String(outcome));
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKUPS_MS));
    }
  };
  const running = Array.from({ length: callers }, call);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
      agent.destroy();
      const sorted = timesMs.toSorted((one, other) => one - other);
      return {
        answered: timesMs.length,
        failures,
        p50Ms: quantile(sorted, 0.5),
        p99Ms: quantile(sorted, 0.99),
      };
    },
  };
}

/** A summary of their results for the fault table. */
export const fareInWords = ({ answered, p50Ms, p99Ms }: Fared) =>
  `${answered.toLocaleString('en-GB')} lookups answered meanwhile, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
