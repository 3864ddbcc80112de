import {
  type ICredentialsDecrypted,
  type IDataObject,
  type IHttpRequestOptions,
  NodeOperationError,
} from 'n8n-workflow';
import { readFailure } from './failure';
import { type FailedTry, isOutage, type Outage, outageOf } from './outage';
import { pause, stopIfCancelled } from './pacing';
import { requestError } from './request-error';
import {
  cancelSignal,
  type NodeContext,
  type OpenService,
  type Sender,
  type SendOptions,
  type Service,
  type ServiceAnswer,
  type ServiceRequest,
} from './service';
import { hasExpressions } from './credential-expressions';
import { ignoresSsl } from './ssl-issues';
import { property } from './values';
import { isWorthAnotherTry, nextTryMs, RetryQueue } from './retries';
import { isWrongAddress, wrongAddress } from './wrong-address';

/** What requests with the same service identity share. */
interface Connection {
  readonly retryQueue: RetryQueue;
  readonly outage: Outage;
}

type Outcome = { readonly answer: ServiceAnswer } | FailedTry;

const isHeaders = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

/** Sends the requests of one execution of a node, and waits if the server asks for it. */
export class ServiceClient implements Sender {
  /** The connections by service identity, so that no item waits for the limit of another item's key. */
  readonly #connections = new Map<string, Connection>();
  #waitedMs = 0;
  #isStopped = false;

  readonly #context: NodeContext;
  readonly #openService: OpenService;

  constructor(context: NodeContext, openService: OpenService) {
    this.#context = context;
    this.#openService = openService;
  }

  /** The sum of all waits before retries so far, in milliseconds. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Returns a successful response. Throws an error that says why if the request failed for good or would have to wait
   * longer than allowed.
   */
  async send(request: ServiceRequest, options: SendOptions): Promise<ServiceAnswer> {
    const service = await this.#openService(this.#context, options.itemIndex);
    const { retryQueue, outage } = this.#connectionTo(service);
    await retryQueue.clear();
    const { outcome, mayTryAgain } = await outage.send(
      request.path,
      (isCheck) => this.#firstTry(service, request, outage, isCheck),
      ({ failure }) =>
        requestError(this.#context.getNode(), service, failure, options.itemIndex, { isNotSent: true }),
    );
    if ('answer' in outcome) return outcome.answer;
    if (!mayTryAgain) throw this.#error(request, outcome, options.itemIndex);
    return await retryQueue.run(() => this.#tryAgain(request, options, outcome, outage));
  }

  /**
   * The service identity of each item. Only items with the same identity may share a request. An item whose
   * credential cannot be read gets an identity of its own, so that only this item fails.
   */
  async identities(count: number): Promise<string[]> {
    const identityOf = async (itemIndex: number) => {
      const { identity, credentials } = await this.#openService(this.#context, itemIndex);
      return { identity, isForAll: hasExpressions(credentials) === false };
    };
    const own = (itemIndex: number) =>
      identityOf(itemIndex).catch(() => ({ identity: `item ${itemIndex}`, isForAll: false }));
    const first = await own(0);
    if (first.isForAll) return Array.from({ length: count }, () => first.identity);
    const others = await Promise.all(Array.from({ length: count - 1 }, (_, index) => own(index + 1)));
    return [first, ...others].map(({ identity }) => identity);
  }

  #connectionTo(service: Service): Connection {
    const connection = this.#connections.get(service.identity) ?? {
      retryQueue: new RetryQueue(),
      outage: outageOf(this.#context, service),
    };
    this.#connections.set(service.identity, connection);
    return connection;
  }

  async #firstTry(service: Service, request: ServiceRequest, outage: Outage, isCheck: boolean) {
    const outcome = await this.#try(service, request, outage);
    if ('answer' in outcome) return { outcome, mayTryAgain: false };
    const { failure } = outcome;
    const isStillDown = isCheck && isOutage(failure);
    const mayTryAgain = !isStillDown && isWorthAnotherTry(failure, request.isRepeatable, 1);
    if (isStillDown || (!mayTryAgain && failure.noAnswer !== undefined)) outage.begin(outcome);
    return { outcome, mayTryAgain };
  }

  async #tryAgain(
    request: ServiceRequest,
    { itemIndex, maximumWaitMs }: SendOptions,
    first: FailedTry,
    outage: Outage,
  ): Promise<ServiceAnswer> {
    let failed = first;
    const startedMs = Date.now();
    for (let tries = 1; isWorthAnotherTry(failed.failure, request.isRepeatable, tries); tries += 1) {
      const { service, failure, atMs } = failed;
      // Another request may have begun an outage meanwhile.
      if (outage.affects(request.path) && isOutage(failure)) break;
      const nextMs = nextTryMs(failure, tries, atMs, Math.random);
      const delayMs = Math.max(0, nextMs - Date.now());
      // The delay without what is added at random to a Retry-After, because that must not make a wait longer than the
      // user allows.
      const retryDelayMs =
        failure.retryAfterSeconds === undefined
          ? delayMs
          : atMs + failure.retryAfterSeconds * 1000 - Date.now();
      if (maximumWaitMs === 0 || Date.now() - startedMs + retryDelayMs > maximumWaitMs) {
        // With a single try, one response of a busy server is no reason to fail the other items.
        if (isOutage(failure) && (tries > 1 || failure.noAnswer !== undefined)) outage.begin(failed);
        const longWait = { waitMs: retryDelayMs, nextTryMs: nextMs, maximumWaitMs };
        throw requestError(this.#context.getNode(), service, failure, itemIndex, { longWait });
      }
      await pause(this.#context, delayMs);
      this.#waitedMs += delayMs;
      // The credential is read again, because n8n may have stored a new token meanwhile.
      const outcome = await this.#try(await this.#openService(this.#context, itemIndex), request, outage);
      if ('answer' in outcome) return outcome.answer;
      failed = outcome;
    }
    if (isOutage(failed.failure)) outage.begin(failed);
    throw this.#error(request, failed, itemIndex);
  }

  async #try(service: Service, request: ServiceRequest, outage: Outage): Promise<Outcome> {
    stopIfCancelled(this.#context);
    const startedMs = Date.now();
    if (this.#isStopped)
      throw new NodeOperationError(this.#context.getNode(), 'Not sent, because another item has failed');
    try {
      const response: unknown = await this.#context.helpers.httpRequestWithAuthentication.call(
        this.#context,
        service.credentialType,
        this.#httpRequest(service, request),
        { credentialsDecrypted: this.#decrypted(service) },
      );
      const headers = property(response, 'headers');
      outage.end();
      return {
        answer: {
          status: Number(property(response, 'statusCode')),
          headers: isHeaders(headers) ? headers : {},
          body: property(response, 'body'),
          baseUrl: service.baseUrl,
        },
      };
    } catch (error) {
      stopIfCancelled(this.#context);
      const atMs = Date.now();
      const failure = readFailure(error, atMs, request);
      if (failure.status !== undefined && !isOutage(failure)) outage.end();
      return { service, failure, path: request.path, startedMs, atMs };
    }
  }

  /** The credential that was already read. Without it, n8n would read it again, for the first item. */
  #decrypted({ credentialType, credentials }: Service): ICredentialsDecrypted {
    const { id, name } = this.#context.getNode().credentials?.[credentialType] ?? { id: null, name: '' };
    return { id: id ?? '', name, type: credentialType, data: credentials };
  }

  #httpRequest(
    { baseUrl, credentials }: Service,
    { method, path, body, query, headers, isBinary, timeoutMs, deadlineMs = Infinity }: ServiceRequest,
  ): IHttpRequestOptions {
    const abortSignal = cancelSignal(this.#context);
    return {
      method,
      url: `${baseUrl}${path}`,
      headers: { Accept: isBinary === true ? '*/*' : 'application/json', ...headers },
      returnFullResponse: true,
      arrayFormat: 'repeat',
      disableFollowRedirect: true,
      sendCredentialsOnCrossOriginRedirect: false,
      timeout: Math.max(1, Math.min(timeoutMs, deadlineMs - Date.now())),
      ...(ignoresSsl(credentials) ? { skipSslCertificateValidation: true } : {}),
      ...(isBinary === true ? { encoding: 'arraybuffer' } : { json: true }),
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { qs: query }),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    };
  }

  #error({ isOwnPath }: ServiceRequest, { service, failure }: FailedTry, itemIndex: number) {
    if (isOwnPath !== true && isWrongAddress(failure))
      return wrongAddress(
        this.#context.getNode(),
        service.baseUrl,
        `answered ${failure.status}${failure.message === undefined ? ' without saying why' : ''}`,
        itemIndex,
      );
    return requestError(this.#context.getNode(), service, failure, itemIndex);
  }
}
