import { isIP } from 'node:net';
import { ERRORS, parseUrl } from '@signpost/contract';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../platform/errors.js';
import type { Log } from '../platform/log.js';
import { sendError } from './errors.js';

/** Load balancers and containers probe these under any name. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const MAX_SHOWN_CHARACTERS = 100;
/** Bounds the cache of accepted hosts. */
const MAX_KNOWN = 100;

/**
 * Splits an authority, such as the value of a Host header, into `host`, with the port (unless it is 80), and `name`,
 * without it. Undefined if the text is not a host.
 */
function parseHost(authority: string): { readonly host: string; readonly name: string } | undefined {
  const url = parseUrl(`http://${authority}`);
  // If the text had anything else, such as a user or a path, the URL would be longer.
  if (url === undefined || url.href !== `http://${url.host}/` || /[/\\@?#\s]/u.test(authority))
    return undefined;
  const name = url.hostname.replace(/\.$/u, '');
  return { host: url.port === '' ? name : `${name}:${url.port}`, name };
}

/** Whether a name is an address or cannot be registered, so that no foreign site can point it at this server. */
const isLocalName = (name: string) => name.startsWith('[') || isIP(name) !== 0 || !name.includes('.');

/** Responds without the console's own error page, because that would query the database. */
function sendRejection({ headers }: FastifyRequest, reply: FastifyReply, rejection: ServiceError): void {
  if (!/^text\/html\b/u.test(headers.accept ?? '')) {
    sendError(reply, rejection);
    return;
  }
  const title = 'Unknown host name';
  reply
    .code(ERRORS[rejection.kind].status)
    .header('Content-Type', 'text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><p>${rejection.message}</p></html>`,
    );
}

/**
 * Decides which host names the server accepts. Without this check, a foreign page could reach a server that only its
 * visitor's machine can reach, by pointing its own name at the server's address (DNS rebinding).
 */
export class ServedHosts {
  readonly #allowed: readonly string[];
  readonly #log: Pick<Log, 'warn'>;
  readonly #acceptedHosts = new Set<string>();
  #hasWarned = false;

  /** `allowed` lists host names. A name without a port is allowed with any port, and "*" allows every name. */
  constructor(allowed: readonly string[], log: Pick<Log, 'warn'>) {
    this.#allowed = allowed.map((entry) => (entry === '*' ? entry : (parseHost(entry)?.host ?? entry)));
    this.#log = log;
  }

  /** Rejects a request with 421 if it names a host that is not served, unless its path is one of HEALTH_PATHS. */
  readonly check: onRequestHookHandler = (request, reply, done) => {
    const isHealthPath = HEALTH_PATHS.has(request.routeOptions.url ?? '');
    const unservedHost = isHealthPath ? undefined : this.#findUnservedHost(request.raw);
    if (unservedHost === undefined) done();
    else sendRejection(request, reply, this.#rejection(unservedHost));
  };

  /**
   * The first host that a request names and this server does not serve; undefined if there is none. A request may
   * repeat the Host header, and name a host in its target.
   */
  #findUnservedHost({ rawHeaders, url = '' }: FastifyRequest['raw']): string | undefined {
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const value = rawHeaders[at + 1] ?? '';
      if (rawHeaders[at]?.toLowerCase() === 'host' && !this.#isServed(value)) return value;
    }
    const target = url.startsWith('/') ? undefined : /^[a-z]+:\/\/([^/?#]*)/iu.exec(url)?.[1];
    return target === undefined || this.#isServed(target) ? undefined : target;
  }

  #isServed(authority: string): boolean {
    // Only browsers need this check, and they always send a host.
    if (authority === '' || this.#acceptedHosts.has(authority)) return true;
    const parsed = parseHost(authority);
    if (parsed === undefined) return false;
    const { host, name } = parsed;
    const isServed =
      isLocalName(name) || this.#allowed.some((entry) => entry === '*' || entry === host || entry === name);
    if (isServed && this.#acceptedHosts.size < MAX_KNOWN) this.#acceptedHosts.add(authority);
    return isServed;
  }

  #rejection(authority: string): ServiceError {
    const name = parseHost(authority)?.name.slice(0, MAX_SHOWN_CHARACTERS);
    if (name === undefined)
      return new ServiceError('misdirected', 'The header "Host" of the request is not a host name.');
    const cure = `set SIGNPOST_ALLOWED_HOSTS=${name} (or SIGNPOST_PUBLIC_URL, if this is the address that everybody uses) and restart the server`;
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      this.#log.warn({}, `Requests for the host name "${name}" are refused. If the name is yours, ${cure}.`);
    }
    return new ServiceError(
      'misdirected',
      `This server is not called "${name}". If you are its operator and the name is yours, ${cure}.`,
    );
  }
}
