import { z } from 'zod';
import type { Finding } from '../platform/finding.js';
import type { Config } from './config.js';
import { localUrl } from './local-url.js';

const NAME = 'Running server';
const TIMEOUT_MS = 3_000;

const readiness = z.object({
  checks: z.record(z.string(), z.boolean()),
  error: z.string().optional(),
  details: z.record(z.string(), z.string()).default({}),
});

/**
 * Asks the server at the configured address of this machine for its state: it knows more than this process, such as
 * that captures fail. The finding is "works" also if no Signpost server responds there. Returns no finding if the
 * configured port is 0, because then the system chose the port.
 */
export async function runningServerFinding({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<readonly Finding[]> {
  if (port === 0) return [];
  const url = localUrl(host, port);
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => undefined,
  );
  const answer = readiness.safeParse(await response?.json().catch(() => undefined));
  if (response === undefined || !answer.success) {
    const message =
      response === undefined ? `none answers at ${url}` : `what answers at ${url} is not a Signpost server`;
    return [{ name: NAME, state: 'works', message }];
  }
  const { error, details } = answer.data;
  const problems = [...(error === undefined ? [] : [error]), ...Object.values(details)];
  if (problems.length === 0) return [{ name: NAME, state: 'works', message: `ready at ${url}` }];
  const state = response.ok ? 'could be better' : 'does not work';
  const advice =
    'The other lines and the log of that server say what to change. If it is not the server of this installation, set SIGNPOST_PORT as for yours.';
  return [{ name: NAME, state, message: `at ${url}: ${problems.join(' ')}`, advice }];
}
