import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { ProtocolSession } from './protocol/session.js';

/** The proxy of a browser that was not started with one. */
export interface ContextProxy {
  readonly server: string;
  readonly bypass: string;
  readonly username?: string;
  readonly password?: string;
}

export type HeldRequest = ProtocolMapping.Events['Fetch.requestPaused'][0];
type Patterns = NonNullable<
  NonNullable<ProtocolMapping.Commands['Fetch.enable']['paramsType'][0]>['patterns']
>;

/** All headers that a request is sent with; undefined: its own. */
type Amend = (held: HeldRequest) => Promise<{ name: string; value: string }[] | undefined>;

/** The response to a request that is not sent; undefined: it is sent. */
type Answer = (
  held: HeldRequest,
) => Omit<ProtocolMapping.Commands['Fetch.fulfillRequest']['paramsType'][0], 'requestId'> | undefined;

/** Whether a request is refused, in place of being sent. */
type Block = (held: HeldRequest) => boolean;

const ignore = () => undefined;

/**
 * The requests of a page that are held for a decision: all of them if the proxy asks for a password, which only the proxy
 * gets; otherwise those that are to be amended, answered or blocked.
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

  /** Gives the proxy its password where it has one. */
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

  /** Has requests of these patterns amended, and perhaps others. */
  async amend(patterns: Patterns, amend: Amend): Promise<void> {
    this.#amend = amend;
    await this.#hold(patterns);
  }

  /** Has requests of these patterns answered here, and perhaps others. */
  async answer(patterns: Patterns, answer: Answer): Promise<void> {
    this.#answer = answer;
    await this.#hold(patterns);
  }

  /** Has those of the requests of these patterns refused that somebody wants blocked. */
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

  /** Names all patterns each time, since the browser keeps only the last ones. */
  async #hold(patterns: Patterns): Promise<void> {
    this.#patterns.push(...patterns);
    if (this.proxy?.password === undefined)
      await this.protocol.send('Fetch.enable', { patterns: this.#patterns });
  }
}
