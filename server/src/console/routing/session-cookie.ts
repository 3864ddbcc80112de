import bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Account, findAccountById } from '../../accounts/account.js';
import {
  beginSession,
  beginVerifiedSession,
  IDLE_MS,
  type NewSession,
  readSession,
  removeSession,
  type Session,
  touchSession,
  type VerifiedSignIn,
} from '../../accounts/sessions.js';
import { ServiceError } from '../../platform/errors.js';
import type { CurrentUser } from '../layout/page-state.js';
import type { ConsoleDeps } from './console-deps.js';

const ID_BYTES = 32;

export interface SessionStart {
  readonly accountId: string;
  /** Whether the second-factor code is still missing. */
  readonly awaitsCode?: boolean;
  /** Set if the password was entered. The session begins only if what was verified still holds. */
  readonly verified?: VerifiedSignIn;
}

/** At most this many characters of a User-Agent are read. */
const MAX_READ_CHARACTERS = 500;
const MAX_CHARACTERS = 100;
const UNKNOWN = 'An unknown browser';

/** The browser and its system in words, such as "Firefox on Linux", from its User-Agent. */
export function describeBrowser(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return UNKNOWN;
  const { browser, os } = bowser.parse(userAgent.slice(0, MAX_READ_CHARACTERS));
  const name = browser.name ?? '';
  if (name === '') return UNKNOWN;
  return (os.name === undefined ? name : `${name} on ${os.name}`).slice(0, MAX_CHARACTERS);
}

interface FoundSession {
  readonly sessionId: string;
  readonly session: Session;
  readonly account: Account;
}

/** The sessions of people. The cookie is only a random value; everything else is in the database. */
export class SessionCookie {
  readonly #name: string;
  readonly #deps: ConsoleDeps;
  /** The sessions that `isSignedIn` read, so that the page which the request is for need not read them again. */
  readonly #sessions = new WeakMap<FastifyRequest, FoundSession | undefined>();

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
    // With this prefix, browsers accept a cookie only over https, and send it only to exactly this host.
    this.#name = deps.isHttps ? '__Host-signpost' : 'signpost';
  }

  /** The value of the session cookie of a request, whether or not the session exists; undefined without the cookie. */
  read(request: FastifyRequest): string | undefined {
    const value = request.cookies[this.#name];
    return value === '' ? undefined : value;
  }

  /**
   * Whether a request has a valid session that signs somebody in. If the database fails, the request counts as one
   * without a session, because files of pages do not need the database.
   */
  async isSignedIn(request: FastifyRequest): Promise<boolean> {
    if (this.read(request) === undefined) return false;
    try {
      const found = this.#sessions.get(request) ?? (await this.#find(request));
      this.#sessions.set(request, found);
      return found?.session.awaitsCode === false;
    } catch {
      return false;
    }
  }

  /**
   * What form tokens are bound to besides the form cookie: the session cookie or, if the request has none, the word
   * "nobody".
   */
  formOwner(request: FastifyRequest): string {
    return this.read(request) ?? 'nobody';
  }

  /**
   * The person who sent a request; undefined without a session, or if it awaits a code or the account is disabled.
   * Extends the session and its cookie, at most once an hour.
   */
  async findUser(request: FastifyRequest, reply: FastifyReply): Promise<CurrentUser | undefined> {
    const found = await this.#find(request);
    if (found === undefined || found.session.awaitsCode) return undefined;
    const { sessionId, session, account } = found;
    if (await touchSession(this.#deps.domain, sessionId, session)) this.#set(reply, sessionId);
    return { sessionId, sessionKey: session.key, account, passwordAtMs: session.passwordAtMs };
  }

  /** The session of a request, with its account, if only the second-factor code is missing. */
  async findSessionAwaitingCode(request: FastifyRequest) {
    const found = await this.#find(request);
    return found?.session.awaitsCode === true ? found : undefined;
  }

  /**
   * Begins a session under a new cookie, so that a cookie planted by an attacker opens nothing. With `verified`,
   * throws a ServiceError if the password hash in it is no longer the account's, if the account is disabled, if
   * `awaitsCode` no longer fits its second factor, or if the session to replace has ended.
   */
  async begin(request: FastifyRequest, reply: FastifyReply, start: SessionStart): Promise<void> {
    const { verified, ...begun } = start;
    const sessionId = this.#deps.domain.randomBytes(ID_BYTES).toString('base64url');
    const browser = describeBrowser(request.headers['user-agent']);
    const session = { ...begun, address: request.ip, browser };
    await this.#write(sessionId, session, verified);
    await this.#removeOld(request);
    this.#set(reply, sessionId);
  }

  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#removeOld(request);
    reply.clearCookie(this.#name, this.#options());
  }

  async #find(request: FastifyRequest): Promise<FoundSession | undefined> {
    const sessionId = this.read(request);
    if (sessionId === undefined) return undefined;
    // Uses the stored session only if there is no body: while a body arrived, the session may have ended.
    if (request.body === undefined && this.#sessions.has(request)) {
      const found = this.#sessions.get(request);
      this.#sessions.delete(request);
      return found;
    }
    const session = await readSession(this.#deps.domain, sessionId);
    if (session === undefined) return undefined;
    const account = await findAccountById(this.#deps.domain, session.accountId);
    if (account === undefined || account.disabledAtMs !== null) return undefined;
    return { sessionId, session, account };
  }

  async #removeOld(request: FastifyRequest): Promise<void> {
    const old = this.read(request);
    if (old !== undefined) await removeSession(this.#deps.domain, old);
  }

  async #write(sessionId: string, session: NewSession, verified: VerifiedSignIn | undefined): Promise<void> {
    const { domain } = this.#deps;
    if (verified === undefined) await beginSession(domain, sessionId, session);
    else if (!(await beginVerifiedSession(domain, sessionId, session, verified))) {
      throw new ServiceError(
        'unauthorized',
        'The password or the account has just been changed. Sign in again.',
      );
    }
  }

  #set(reply: FastifyReply, sessionId: string): void {
    reply.setCookie(this.#name, sessionId, { ...this.#options(), maxAge: IDLE_MS / 1_000 });
  }

  #options() {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#deps.isHttps } as const;
  }
}
