import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { ContextProxy } from '../guard/context-proxy.js';
import type { PageSessions } from './page-sessions.js';
import type { ProtocolSession } from './protocol/session.js';

export type PausedRequest = ProtocolMapping.Events['Fetch.requestPaused'][0];
type FetchOptions = NonNullable<ProtocolMapping.Commands['Fetch.enable']['paramsType'][0]>;
type Patterns = NonNullable<FetchOptions['patterns']>;

/** Returns all headers with which to send a request of this session; undefined to send it unchanged. */
type AmendRequest = (
  request: PausedRequest,
  session: ProtocolSession,
) => Promise<{ name: string; value: string }[] | undefined>;

/** Returns the response to use instead of sending a request; undefined to send it. */
type AnswerRequest = (
  request: PausedRequest,
) => Omit<ProtocolMapping.Commands['Fetch.fulfillRequest']['paramsType'][0], 'requestId'> | undefined;

/** What the browser gets in place of the server's response: another response or, with 'reject', an aborted request. */
export type ReplacementResponse =
  Omit<ProtocolMapping.Commands['Fetch.fulfillRequest']['paramsType'][0], 'requestId'> | 'reject';

/** Returns a replacement for a response before the browser gets it; undefined to let the response through. */
type ReplaceResponse = (request: PausedRequest) => Promise<ReplacementResponse | undefined>;

/** Whether to reject a request instead of sending it. */
type ShouldBlock = (request: PausedRequest) => boolean;

const ignore = () => undefined;

/**
 * Pauses requests of a page and of all its frames until a decision is made. If the proxy requires a password, all
 * requests are paused; otherwise only those that may be amended, answered or blocked, or whose responses are examined.
 */
export class RequestInterceptor {
  #amend: AmendRequest | undefined;
  readonly #answers: AnswerRequest[] = [];
  #block: ShouldBlock = () => false;
  #replaceResponse: ReplaceResponse | undefined;
  readonly #patterns: Patterns = [];

  readonly #sessions: PageSessions;
  readonly #proxy: ContextProxy | undefined;

  constructor(sessions: PageSessions, proxy: ContextProxy | undefined) {
    this.#sessions = sessions;
    this.#proxy = proxy;
    sessions.onSession((session) => this.#watch(session));
  }

  /** If the proxy requires a password, sends it whenever the proxy asks from now on. */
  async authenticate(): Promise<void> {
    if (this.#isForAll) await this.#enable();
  }

  /**
   * Calls `amend` for requests that match these patterns, and possibly for others, but not for those that are answered
   * or blocked. A later call replaces the function.
   */
  async amend(patterns: Patterns, amend: AmendRequest): Promise<void> {
    this.#amend = amend;
    await this.#addPatterns(patterns);
  }

  /**
   * Calls `answer` for requests that match these patterns, and possibly for others. Functions added earlier come first.
   */
  async answer(patterns: Patterns, answer: AnswerRequest): Promise<void> {
    this.#answers.push(answer);
    await this.#addPatterns(patterns);
  }

  /**
   * Blocks requests for which `block` returns true. Calls it for requests that match these patterns, and possibly for
   * others. A later call replaces the function.
   */
  async block(patterns: Patterns, block: ShouldBlock): Promise<void> {
    this.#block = block;
    await this.#addPatterns(patterns);
  }

  /**
   * Calls `replace` for each request for a document when a response begins to arrive or the request has failed, before
   * the browser gets the result. Redirects and the documents of frames are included.
   */
  async replaceDocuments(replace: ReplaceResponse): Promise<void> {
    this.#replaceResponse = replace;
    await this.#addPatterns([{ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }]);
  }

  /** Whether all requests are paused, because the proxy requires a password. */
  get #isForAll(): boolean {
    return this.#proxy?.username !== undefined && this.#proxy.password !== undefined;
  }

  #watch(session: ProtocolSession): void {
    const { username, password } = this.#proxy ?? {};
    session.on('Fetch.requestPaused', (request) => {
      this.#handleRequest(request, session).catch(ignore);
    });
    session.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
      const authChallengeResponse =
        source === 'Proxy' && username !== undefined && password !== undefined
          ? ({ response: 'ProvideCredentials', username, password } as const)
          : ({ response: 'CancelAuth' } as const);
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignore);
    });
    if (this.#isForAll || this.#patterns.length > 0) this.#enableIn(session).catch(ignore);
  }

  async #handleRequest(request: PausedRequest, session: ProtocolSession): Promise<unknown> {
    const { requestId } = request;
    if ((request.responseStatusCode ?? request.responseErrorReason) !== undefined)
      return this.#handleResponse(request, session);
    for (const answerOf of this.#answers) {
      const answer = answerOf(request);
      if (answer !== undefined) return session.send('Fetch.fulfillRequest', { requestId, ...answer });
    }
    if (this.#block(request))
      return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    const headers = this.#amend === undefined ? undefined : await this.#amend(request, session);
    return session.send('Fetch.continueRequest', {
      requestId,
      ...(headers === undefined ? {} : { headers }),
    });
  }

  async #handleResponse(request: PausedRequest, session: ProtocolSession): Promise<unknown> {
    const { requestId } = request;
    const replacement = await this.#replaceResponse?.(request);
    if (replacement === undefined) return session.send('Fetch.continueRequest', { requestId });
    if (replacement === 'reject')
      return session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return session.send('Fetch.fulfillRequest', { requestId, ...replacement });
  }

  async #addPatterns(patterns: Patterns): Promise<void> {
    this.#patterns.push(...patterns);
    const isForResponses = patterns.some(({ requestStage }) => requestStage === 'Response');
    if (!this.#isForAll || isForResponses) await this.#enable();
  }

  /** Enables pausing in all sessions. Throws if the page is gone. A frame may disappear without causing an error. */
  async #enable(): Promise<void> {
    for (const { session } of this.#sessions.frames) this.#enableIn(session).catch(ignore);
    await this.#enableIn(this.#sessions.page);
  }

  /**
   * Sends the patterns of earlier calls again, because the browser keeps only the last ones. Leaves out those for
   * requests if all requests are paused anyway.
   */
  #enableIn(session: ProtocolSession): Promise<void> {
    if (!this.#isForAll) return session.send('Fetch.enable', { patterns: this.#patterns });
    const ofResponses = this.#patterns.filter(({ requestStage }) => requestStage === 'Response');
    const patterns = ofResponses.length === 0 ? {} : { patterns: [{ urlPattern: '*' }, ...ofResponses] };
    return session.send('Fetch.enable', { handleAuthRequests: true, ...patterns });
  }
}
