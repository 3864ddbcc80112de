import { type IDataObject, type IHttpRequestOptions, NodeOperationError } from 'n8n-workflow';
import { type Failure, readFailure } from './failure';
import { pause, stopIfCancelled } from './pacing';
import { requestError } from './request-error';
import {
  cancelSignal,
  type NodeContext,
  type Sender,
  type SendOptions,
  type Service,
  type ServiceAnswer,
  type ServiceRequest,
} from './service';
import { property } from './values';
import { isWorthAnotherTry, nextTryMs, WaitingLane } from './retries';

type Outcome = { readonly answer: ServiceAnswer } | { readonly failure: Failure; readonly atMs: number };

const isHeaders = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

/** Sends the requests of one execution of a node, and waits where the server asks for it. */
export class ServiceClient implements Sender {
  readonly #lane = new WaitingLane();
  #waitedMs = 0;
  #isStopped = false;

  constructor(
    private readonly context: NodeContext,
    private readonly service: Service,
  ) {}

  /** How long the requests have waited for their turn so far. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Answers a successful answer. Throws a NodeApiError with the server's words where the request failed for good or
   * would have to wait longer than allowed.
   */
  async send(request: ServiceRequest, options: SendOptions): Promise<ServiceAnswer> {
    await this.#lane.clear();
    const outcome = await this.#try(request);
    if ('answer' in outcome) return outcome.answer;
    if (!isWorthAnotherTry(outcome.failure, request.isRepeatable, 1))
      throw this.#error(outcome.failure, options.itemIndex);
    return await this.#lane.run(() => this.#tryAgain(request, options, outcome));
  }

  async #tryAgain(
    request: ServiceRequest,
    { itemIndex, maximumWaitMs }: SendOptions,
    first: Exclude<Outcome, { answer: ServiceAnswer }>,
  ): Promise<ServiceAnswer> {
    let { failure, atMs } = first;
    const startedMs = Date.now();
    for (let tries = 1; isWorthAnotherTry(failure, request.isRepeatable, tries); tries += 1) {
      const nextMs = nextTryMs(failure, tries, atMs, Math.random);
      const delayMs = Math.max(0, nextMs - Date.now());
      // The spread is ours and not the server's: it does not make a wait too long.
      const asked =
        failure.retryAfterSeconds === undefined
          ? delayMs
          : atMs + failure.retryAfterSeconds * 1000 - Date.now();
      if (maximumWaitMs === 0 || Date.now() - startedMs + asked > maximumWaitMs)
        throw requestError(this.context.getNode(), this.service, failure, itemIndex, {
          waitMs: asked,
          nextTryMs: nextMs,
          maximumWaitMs,
        });
      await pause(this.context, delayMs);
      this.#waitedMs += delayMs;
      const outcome = await this.#try(request);
      if ('answer' in outcome) return outcome.answer;
      ({ failure, atMs } = outcome);
    }
    throw this.#error(failure, itemIndex);
  }

  async #try(request: ServiceRequest): Promise<Outcome> {
    stopIfCancelled(this.context);
    if (this.#isStopped)
      throw new NodeOperationError(this.context.getNode(), 'Not sent, because another item has failed');
    try {
      const response: unknown = await this.context.helpers.httpRequestWithAuthentication.call(
        this.context,
        this.service.credentialType,
        this.#httpRequest(request),
      );
      const headers = property(response, 'headers');
      return {
        answer: {
          status: Number(property(response, 'statusCode')),
          headers: isHeaders(headers) ? headers : {},
          body: property(response, 'body'),
        },
      };
    } catch (error) {
      stopIfCancelled(this.context);
      const atMs = Date.now();
      return { failure: readFailure(error, atMs), atMs };
    }
  }

  #httpRequest({
    method,
    path,
    body,
    query,
    headers,
    isBinary,
    timeoutMs,
  }: ServiceRequest): IHttpRequestOptions {
    const abortSignal = cancelSignal(this.context);
    return {
      method,
      url: `${this.service.baseUrl}${path}`,
      headers: { Accept: isBinary === true ? '*/*' : 'application/json', ...headers },
      returnFullResponse: true,
      arrayFormat: 'repeat',
      disableFollowRedirect: true,
      sendCredentialsOnCrossOriginRedirect: false,
      timeout: timeoutMs,
      ...(isBinary === true ? { encoding: 'arraybuffer' } : { json: true }),
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { qs: query }),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    };
  }

  #error(failure: Failure, itemIndex: number) {
    return requestError(this.context.getNode(), this.service, failure, itemIndex);
  }
}
