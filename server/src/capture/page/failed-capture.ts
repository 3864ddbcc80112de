import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import { failureReasonOf } from '../failure-watch.js';
import type { NetworkWatch } from '../network/network-watch.js';
import { PageNotLoaded } from './page-not-loaded.js';

const RETRY_AFTER_SECONDS = 30;

const networkDown = (problem: string) =>
  new ServiceError(
    'overloaded',
    `The page could not be captured because this server cannot use its own network: ${problem}. The address may well be right. Try again in ${RETRY_AFTER_SECONDS} seconds. If that does not help, tell the operator of the server.`,
    { detail: problem, retryAfterSeconds: RETRY_AFTER_SECONDS, isLogged: true, reason: 'network' },
  );

/**
 * Returns an error that blames the server's own network, if that is down and the capture failed because its page was
 * not reached or took too long. Otherwise returns the error unchanged.
 */
export async function blameNetwork(
  error: unknown,
  network: Pick<NetworkWatch, 'check' | 'problem'>,
): Promise<unknown> {
  if (error instanceof PageNotLoaded && error.mayLackNetwork) {
    const problem = await network.check();
    return problem === undefined ? error : networkDown(problem);
  }
  if (error instanceof ServiceError && error.kind === 'timeout') {
    // There is no time left to wait for the probe. Its result is used for later captures.
    void network.check();
    if (network.problem !== undefined) return networkDown(network.problem);
  }
  return error;
}

/** Finds quoted texts and addresses, which may be the caller's. */
const QUOTED_OR_ADDRESS = /"(?:[^"\\]|\\.)*"|\b[a-z][a-z\d+.-]*:\/\/[^\s"]+/giu;

/** Logs why a capture failed. Quoted texts and addresses in the message of a ServiceError are left out. */
export function logFailedCapture(log: Log, error: unknown): void {
  if (!(error instanceof ServiceError)) {
    log.debug({ outcome: 'internal', err: error }, 'A capture failed.');
    return;
  }
  const { kind, message, detail } = error;
  const because = failureReasonOf(error);
  log.debug(
    { outcome: kind, because, reason: message.replace(QUOTED_OR_ADDRESS, '"…"'), detail },
    'A capture failed.',
  );
}
