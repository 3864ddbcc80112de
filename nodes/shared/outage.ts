import type { Failure } from './failure';
import { PerExecution } from './per-execution';
import type { NodeContext, Service } from './service';

/** A try that failed. */
export interface FailedTry {
  readonly service: Service;
  readonly failure: Failure;
  /** The path of the request. */
  readonly path: string;
  readonly startedMs: number;
  readonly atMs: number;
}

/** Statuses that a busy or stopping server sends, or a proxy whose server is down. */
const OUT_OF_SERVICE = [502, 503, 504];
/**
 * How long at most no request is sent after a failed try. The try itself may have taken longer: the timeout of a
 * capture may be an hour.
 */
const MAX_PAUSE_MS = 180_000;

/**
 * Whether a request got no response for a known reason, or one with a status in OUT_OF_SERVICE. A 504 with an error
 * name does not count: it is Signpost's own, about the captured page.
 */
export const isOutage = ({ status, noAnswer, errorName }: Failure): boolean =>
  noAnswer !== undefined ||
  (status !== undefined && OUT_OF_SERVICE.includes(status) && !(status === 504 && errorName !== undefined));

/**
 * Remembers that a service is down, after the last try of a request has failed. Other requests then fail at once for as
 * long as that try took, but for three minutes at most. The next request after that checks whether the service is back;
 * if it is not, that request is not tried again. Requests that come during a check wait for its result. If the server
 * itself said that it cannot do an operation now, only requests of that operation are affected.
 */
export class Outage {
  #failed: FailedTry | undefined;
  #answeredMs = -Infinity;
  #check: Promise<unknown> | undefined;

  /** Whether the service is down, as far as is known, for requests with this path. */
  affects(path: string): boolean {
    if (this.#failed === undefined) return false;
    return this.#failed.failure.errorName === undefined || this.#failed.path === path;
  }

  /**
   * Sends a request, unless the service is down: then throws the error that `notSent` returns or, if the pause after
   * the failed try is over, lets this request check whether the service is back. While a check is running, requests
   * wait for it.
   */
  async send<Result>(
    path: string,
    request: (isCheck: boolean) => Promise<Result>,
    notSent: (earlier: FailedTry) => Error,
  ): Promise<Result> {
    while (this.#check !== undefined && this.affects(path)) await this.#check;
    const failed = this.#failed;
    if (failed === undefined || !this.affects(path)) return await request(false);
    if (Date.now() < failed.atMs + Math.min(failed.atMs - failed.startedMs, MAX_PAUSE_MS))
      throw notSent(failed);
    const result = request(true);
    this.#check = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#check = undefined;
    }
  }

  /** Ends the outage. Call it if the server has sent a response that does not mean an outage. */
  end(): void {
    this.#failed = undefined;
    this.#answeredMs = Date.now();
  }

  /**
   * Begins an outage after the last try of a request, unless the server has responded since that try began or a later
   * try has failed.
   */
  begin(failed: FailedTry): void {
    const isNewer = failed.atMs >= (this.#failed?.atMs ?? 0);
    if (isNewer && failed.startedMs >= this.#answeredMs) this.#failed = failed;
  }
}

const outages = new PerExecution<Outage>();

/**
 * Returns the outage of a service in this execution, shared by all nodes and rounds of a loop. A trigger gets a new one
 * each time.
 */
export const outageOf = (context: NodeContext, { identity }: Service): Outage =>
  'getInputData' in context
    ? outages.get(`${context.getExecutionId()} ${identity}`, () => new Outage())
    : new Outage();
