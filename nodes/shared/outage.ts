import type { Failure } from './failure';
import { PerExecution } from './per-execution';
import type { NodeContext, Service } from './service';

/** A try that failed. */
export interface Failed {
  readonly service: Service;
  readonly failure: Failure;
  /** The path of the request. */
  readonly path: string;
  readonly startedMs: number;
  readonly atMs: number;
}

/** Statuses of a server that is busy or stopped, and of a proxy whose server is. */
const OUT_OF_SERVICE = [502, 503, 504];

/**
 * Whether the failure says nothing about the request, only that the server is not there. A 504 with a name is
 * Signpost's own, and is about the captured page.
 */
export const isOutage = ({ status, noAnswer, errorName }: Failure): boolean =>
  noAnswer !== undefined ||
  (status !== undefined && OUT_OF_SERVICE.includes(status) && !(status === 504 && errorName !== undefined));

/**
 * Remembers that a service is down. One request uses all its tries to find out. After that, the others fail at once,
 * apart from one at a time that checks whether the service is back, with a single try. It may do so once as much time
 * has passed as the failed try took: at once if connections are refused, a minute later if nothing answered for a minute.
 * If the server itself said that it cannot do an operation now, this is so for requests of that operation only.
 */
export class Outage {
  #failed: Failed | undefined;
  #answeredMs = -Infinity;
  #check: Promise<unknown> | undefined;

  /** Whether the service is down, as far as is known, for requests with this path. */
  concerns(path: string): boolean {
    if (this.#failed === undefined) return false;
    return this.#failed.failure.errorName === undefined || this.#failed.path === path;
  }

  /**
   * Sends a request, unless the service is down: then throws `notSent` at once, or lets the request check whether the
   * service is back. Requests wait for a check that is under way.
   */
  async send<Result>(
    path: string,
    request: (isCheck: boolean) => Promise<Result>,
    notSent: (earlier: Failed) => Error,
  ): Promise<Result> {
    while (this.#check !== undefined && this.concerns(path)) await this.#check;
    const failed = this.#failed;
    if (failed === undefined || !this.concerns(path)) return await request(false);
    if (Date.now() < 2 * failed.atMs - failed.startedMs) throw notSent(failed);
    const result = request(true);
    this.#check = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#check = undefined;
    }
  }

  /** The server responded, whatever it said. */
  end(): void {
    this.#failed = undefined;
    this.#answeredMs = Date.now();
  }

  /** A request has used its tries. This is no outage if the server has responded to another one meanwhile. */
  begin(failed: Failed): void {
    const isNewer = failed.atMs >= (this.#failed?.atMs ?? 0);
    if (isNewer && failed.startedMs >= this.#answeredMs) this.#failed = failed;
  }
}

const outages = new PerExecution<Outage>();

/** The outage of a service in this execution, whichever node or round of a loop noticed it. */
export const outageOf = (context: NodeContext, { identity }: Service): Outage =>
  'getInputData' in context
    ? outages.get(`${context.getExecutionId()} ${identity}`, () => new Outage())
    : new Outage();
