import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { ContextProxy } from '../guard/context-proxy.js';
import type { ProtocolSession } from './protocol/session.js';

export type HeldRequest = ProtocolMapping.Events['Fetch.requestPaused'][0];
type Patterns = NonNullable<
  NonNullable<ProtocolMapping.Commands['Fetch.enable']['paramsType'][0]>['patterns']
>;

/** Returns all headers for a request; undefined to send it with its own. */
type Amend = (held: HeldRequest) => Promise<{ name: string; value: string }[] | undefined>;

/** Returns the response to a request that is not sent; undefined to send it. */
type Answer = (
  held: HeldRequest,
) => Omit<ProtocolMapping.Commands['Fetch.fulfillRequest']['paramsType'][0], 'requestId'> | undefined;

/** Whether to reject a request instead of sending it. */
type Block = (held: HeldRequest) => boolean;

const ignore = () => undefined;

/**
 * Pauses requests of a page for a decision: all of them if the proxy requires a password, which only the
 * proxy gets; otherwise only those that may be amended, answered or blocked.
 */
export class HeldRequests {
  #amend: Amend | undefined;
  #answer: Answer = ignore;
  #block: Block = () => false;
  readonly #patterns: Patterns = [];

  constructor(
    private readonly protocol: ProtocolSession,
    private readonly proxy: ContextProxy | undefined,
  ) {
    protocol.on('Fetch.requestPaused', (held) => {
      this.#letGo(held).catch(ignore);
    });
  }

  /** Gives the proxy its password, if it has one. */
  async authenticate(): Promise<void> {
    const { username, password } = this.proxy ?? {};
    if (username === undefined || password === undefined) return;
    this.protocol.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
      const authChallengeResponse =
        source === 'Proxy'
          ? ({ response: 'ProvideCredentials', username, password } as const)
          : ({ response: 'CancelAuth' } as const);
      this.protocol.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
    });
    await this.protocol.send('Fetch.enable', { handleAuthRequests: true });
  }

  /** Amends requests that match these patterns, and possibly others. */
  async amend(patterns: Patterns, amend: Amend): Promise<void> {
    this.#amend = amend;
    await this.#hold(patterns);
  }

  /** Answers requests that match these patterns, and possibly others. */
  async answer(patterns: Patterns, answer: Answer): Promise<void> {
    this.#answer = answer;
    await this.#hold(patterns);
  }

  /** Blocks the requests that match these patterns if `block` returns true. */
  async block(patterns: Patterns, block: Block): Promise<void> {
    this.#block = block;
    await this.#hold(patterns);
  }

  async #letGo(held: HeldRequest): Promise<unknown> {
    const { requestId } = held;
    const answer = this.#answer(held);
    if (answer !== undefined) return this.protocol.send('Fetch.fulfillRequest', { requestId, ...answer });
    if (this.#block(held))
      return this.protocol.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    const headers = this.#amend === undefined ? undefined : await this.#amend(held);
    return this.protocol.send('Fetch.continueRequest', {
      requestId,
      ...(headers === undefined ? {} : { headers }),
    });
  }

  /** Sends all patterns each time, because the browser only keeps the last ones. */
  async #hold(patterns: Patterns): Promise<void> {
    this.#patterns.push(...patterns);
    if (this.proxy?.password === undefined)
      await this.protocol.send('Fetch.enable', { patterns: this.#patterns });
  }
}
