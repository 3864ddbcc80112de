import { type ErrorName, LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { findLink, type FoundLink } from '../links/find-link.js';
import { isLinkToken } from '../links/link.js';
import { claimCapture, forgetCapture, storeCapture, storeFailure } from '../links/link-captures.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { Log } from '../platform/log.js';
import type { RandomBytes } from '../platform/random.js';
import { shareReads } from '../platform/share-reads.js';
import { MINUTE_MS, SECOND_MS } from '../platform/time-units.js';
import type { Database, PreparedQueries } from '../storage/storage.js';
import type { LinkSealer } from '../tokens/encryption-key.js';
import { LinkBodies, type LinkBody } from './link-bodies.js';
import type { MeteredCalls, PerformOptions } from './metered-call.js';
import { neverAborted } from './operation-handler.js';
import type { ApiKeyOperations } from './operations.js';

const { maxCaptureBytes, cacheSeconds } = LIMITS.captureLinks;
/**
 * After a failed capture that was counted, no viewer causes another for this long. After one that was not counted, the
 * wait may be shorter.
 */
const RETRY_AFTER_MS = MINUTE_MS;
/**
 * How long a server's claim to make the next capture lasts: the time that a capture takes, as long again in the queue,
 * and a minute.
 */
const maxClaimMs = (captureTimeoutMs: number) => 2 * captureTimeoutMs + MINUTE_MS;
const POLL_MS = 250;

/** The capture that a link returns. */
export interface OpenedLink {
  /** Changes with every capture. */
  readonly captureId: string;
  readonly bytes: number;
  /** Undefined if the client already has this capture or asks only for the headers. */
  readonly body: LinkBody | undefined;
  readonly mediaType: string;
  readonly capturedAtMs: number;
  /** How long caches may keep the capture. */
  readonly freshSeconds: number;
}

interface OpenOptions {
  readonly requestId: string;
  /** Whether the client needs the body of the capture with this id. */
  readonly needsBody: (captureId: string) => boolean;
}

interface OpenedLinksDeps {
  readonly db: Database;
  readonly queries: Pick<PreparedQueries, 'all'>;
  /** Whether other servers may use the same database. */
  readonly sharesDatabase: boolean;
  /** The longest time that a capture may take. */
  readonly captureTimeoutMs: number;
  readonly log: Pick<Log, 'error'>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly randomBytes: RandomBytes;
  readonly pause: (ms: number) => Promise<void>;
  readonly linkSealer: LinkSealer;
  readonly calls: Pick<MeteredCalls, 'perform'>;
  readonly operations: Pick<ApiKeyOperations, 'captureScreenshot' | 'capturePdf'>;
}

const storedRequest = z.record(z.string(), z.unknown());

export const unknownLink = () =>
  new ServiceError('notFound', 'There is no such link. Check that its address is whole.');
const endedLink = () =>
  new ServiceError('gone', 'This link has ended. Ask the person who gave it to you for another.');

/**
 * The error that viewers get after a failed capture. Its message is not that of the failure, which may name parts of
 * the request.
 */
function failureForViewers(failure: ErrorName | undefined, retryAfterMs: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
  switch (failure) {
    case 'rateLimited':
      return new ServiceError('rateLimited', 'The limit of this link is used up for now. Try again later.', {
        retryAfterSeconds,
      });
    case 'overloaded':
      return new ServiceError('overloaded', 'The server is busy. Try again soon.', { retryAfterSeconds });
    case 'timeout':
      return new ServiceError('timeout', 'The page of this link took too long.', { retryAfterSeconds });
    default:
      return new ServiceError('notCaptured', 'The page of this link could not be captured.', {
        retryAfterSeconds,
        isLogged: true,
      });
  }
}

/** The error for viewers of a link whose capture was deleted less than a minute after it was made. */
const captureDeleted = (retryAfterMs: number) =>
  new ServiceError(
    'overloaded',
    'The picture of this link was deleted to make room for those of other links. It is made again within a minute.',
    { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / SECOND_MS)), isLogged: true },
  );

const toFailure = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new ServiceError('internal', '', { cause: error });

/** Opens links to captures. Makes a capture when it is due, once for everybody who opens the link meanwhile. */
export class OpenedLinks {
  readonly #deps: OpenedLinksDeps;
  readonly #find: (token: string) => Promise<FoundLink | undefined>;
  readonly #captures = new Map<string, Promise<void>>();
  readonly #bodies: LinkBodies;

  constructor(deps: OpenedLinksDeps) {
    this.#deps = deps;
    this.#find = shareReads((token: string) => findLink(deps.queries, token, deps.clock()));
    this.#bodies = new LinkBodies(deps);
  }

  /**
   * Returns the capture of a link, made now if it is due. Throws a ServiceError for viewers if the link is unknown, has
   * ended or has no capture.
   */
  async open(token: string, options: OpenOptions): Promise<OpenedLink> {
    const found = await this.#findWorking(token);
    const isDue = this.#isDue(found);
    const opened = isDue ? undefined : await this.#read(found, options);
    if (opened !== undefined) return opened;
    if (isDue || found.capture !== undefined) await this.#captureOnce(token, found.id, options.requestId);
    const link = await this.#findWorking(token);
    const captured = await this.#read(link, options);
    if (captured !== undefined) return captured;
    throw this.#missingCaptureError(link);
  }

  async #findWorking(token: string): Promise<FoundLink> {
    const link = isLinkToken(token) ? await this.#find(token) : undefined;
    if (link === undefined) throw unknownLink();
    if (!link.works) throw endedLink();
    return link;
  }

  #missingCaptureError({ failure, dueAtMs, hasLostCapture }: FoundLink): ServiceError {
    const leftMs = dueAtMs - this.#deps.clock();
    if (failure === undefined && hasLostCapture) return captureDeleted(leftMs);
    return failureForViewers(failure ?? 'overloaded', leftMs);
  }

  /** Whether the link needs another capture now. */
  #isDue({ dueAtMs }: FoundLink): boolean {
    return this.#deps.clock() >= dueAtMs;
  }

  async #read(link: FoundLink, { needsBody }: OpenOptions): Promise<OpenedLink | undefined> {
    const { capture } = link;
    if (capture === undefined) return undefined;
    const { id, bytes, mediaType, capturedAtMs } = capture;
    const isNeeded = needsBody(id);
    const body = isNeeded ? await this.#bodies.open(capture) : undefined;
    if (isNeeded && body === undefined) {
      await forgetCapture(this.#deps.db, link, id);
      return undefined;
    }
    const leftMs = link.dueAtMs - this.#deps.clock();
    const freshSeconds = Math.min(cacheSeconds, Math.max(0, Math.floor(leftMs / SECOND_MS)));
    return { captureId: id, bytes, body, mediaType, capturedAtMs, freshSeconds };
  }

  /**
   * Makes the capture of a link if it is due, or waits for the one that is being made. Stores the failure of a capture
   * instead of throwing it.
   */
  #captureOnce(token: string, linkId: string, requestId: string): Promise<void> {
    const running = this.#captures.get(linkId);
    if (running !== undefined) return running;
    const capturing = this.#captureIfDue(token, requestId).finally(() => this.#captures.delete(linkId));
    this.#captures.set(linkId, capturing);
    return capturing;
  }

  async #captureIfDue(token: string, requestId: string): Promise<void> {
    const { db, clock, sharesDatabase, captureTimeoutMs } = this.#deps;
    // Another viewer's capture may have finished since this request read the link.
    const link = await this.#findWorking(token);
    if (!this.#isDue(link)) return;
    const nowMs = clock();
    const claimedUntilMs = sharesDatabase ? nowMs + maxClaimMs(captureTimeoutMs) : undefined;
    if (claimedUntilMs !== undefined && !(await claimCapture(db, link, nowMs, claimedUntilMs)))
      return this.#awaitOtherServer(token);
    const call = { isCounted: false };
    const onCounted = () => void (call.isCounted = true);
    try {
      await storeCapture(this.#deps, link, await this.#capture(link, { requestId, onCounted }));
    } catch (error) {
      const failure = toFailure(error);
      this.#logFailure(failure, link, requestId);
      const { kind, retryAfterSeconds = Infinity } = failure;
      const retryAfterMs = call.isCounted
        ? RETRY_AFTER_MS
        : Math.min(RETRY_AFTER_MS, retryAfterSeconds * SECOND_MS);
      await storeFailure(db, link, kind, clock() + retryAfterMs, claimedUntilMs);
    }
  }

  /** The viewer's response is not logged as an error, so a fault of the server is logged here. */
  #logFailure({ kind, detail, cause }: ServiceError, { id }: FoundLink, requestId: string): void {
    if (kind !== 'internal') return;
    this.#deps.log.error({ link: id, requestId, reason: detail, err: cause }, 'A capture for a link failed.');
  }

  /** Waits until the server that claimed the capture has made it or failed, or until its claim expires. */
  async #awaitOtherServer(token: string): Promise<void> {
    for (;;) {
      await this.#deps.pause(POLL_MS);
      const link = await this.#findWorking(token);
      if (!this.#isDue(link) || link.claimedUntilMs <= this.#deps.clock()) return;
    }
  }

  async #capture({ key, operation, sealed }: FoundLink, options: Omit<PerformOptions, 'signal'>) {
    const { db, linkSealer, calls, operations } = this.#deps;
    const request = storedRequest.parse(JSON.parse((await linkSealer.unseal(db, sealed)).toString()));
    // Viewers share the capture, so it continues if one of them leaves.
    const answer = await calls.perform(
      key,
      operations[operation],
      { ...request, maxAgeSeconds: 0 },
      { signal: neverAborted, ...options },
    );
    if (!('body' in answer)) throw new Error(`${operation} returned no file.`);
    if (answer.body.length > maxCaptureBytes)
      throw new ServiceError('invalidRequest', 'The capture is too large for a link.');
    return answer;
  }
}
