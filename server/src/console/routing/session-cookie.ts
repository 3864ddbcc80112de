import bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IDLE_MS, type NewSession, type Session } from '../../accounts/session-store.js';
import { ServiceError } from '../../platform/errors.js';
import type { CurrentUser } from '../layout/page-state.js';
import type { ConsoleDeps } from './console-deps.js';

const ID_BYTES = 32;

/** A session to begin. */
export interface SessionStart {
  readonly accountId: string;
  /** The hash of the password that was right; left out where none was asked for. */
  readonly verifiedHash?: string;
  /** Whether the code of the second factor is still to come. */
  readonly awaitsCode?: boolean;
  /** The session that goes on as this one, where it has not been ended meanwhile. */
  readonly replaces?: string;
}

/** Browsers send about two hundred; reading more would be work for nothing. */
const MAX_READ_CHARACTERS = 500;
const MAX_CHARACTERS = 100;
const UNKNOWN = 'An unknown browser';

/** The browser and its system in words, as "Firefox on Linux", by what it says of itself. */
export function describeBrowser(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return UNKNOWN;
  const { browser, os } = bowser.parse(userAgent.slice(0, MAX_READ_CHARACTERS));
  const name = browser.name ?? '';
  if (name === '') return UNKNOWN;
  return (os.name === undefined ? name : `${name} on ${os.name}`).slice(0, MAX_CHARACTERS);
}

/** The sessions of people: one random cookie, everything else in the database. */
export class SessionCookie {
  readonly #name: string;
  readonly #deps: ConsoleDeps;

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
    // Browsers take a cookie with that prefix over https alone, and send it to this very host alone.
    this.#name = deps.isHttps ? '__Host-signpost' : 'signpost';
  }

  /** What the browser sent as its session, whether or not there is one. */
  read(request: FastifyRequest): string | undefined {
    const sent = request.cookies[this.#name];
    return sent === '' ? undefined : sent;
  }

  /** Whose the forms of this browser are; never empty, for the forms' tokens are bound to it. */
  formOwner(request: FastifyRequest): string {
    return this.read(request) ?? 'nobody';
  }

  /** Who sends this request; undefined without a session that holds, or with an account that is disabled. */
  async findUser(request: FastifyRequest, reply: FastifyReply): Promise<CurrentUser | undefined> {
    const found = await this.#find(request);
    if (found === undefined || found.session.awaitsCode) return undefined;
    const { sessionId, session, account } = found;
    if (await this.#deps.sessions.touch(sessionId, session)) this.#set(reply, sessionId);
    return { sessionId, sessionKey: session.key, account, passwordAtMs: session.passwordAtMs };
  }

  /** Who gave the right password and owes the code of the second factor; undefined where nobody does. */
  async findAwaited(request: FastifyRequest) {
    const found = await this.#find(request);
    return found?.session.awaitsCode === true ? found : undefined;
  }

  /**
   * Begins a session under a new cookie, so that a cookie that somebody planted before opens nothing. Throws a ServiceError
   * where `verifiedHash` is no longer the hash of the account's password, or it is disabled.
   */
  async begin(request: FastifyRequest, reply: FastifyReply, start: SessionStart): Promise<void> {
    const { verifiedHash, ...begun } = start;
    const sessionId = this.#deps.randomBytes(ID_BYTES).toString('base64url');
    const browser = describeBrowser(request.headers['user-agent']);
    const session = { ...begun, address: request.ip, browser };
    await this.#write(sessionId, session, verifiedHash);
    await this.#removeOld(request);
    this.#set(reply, sessionId);
  }

  /** Ends the session of this request. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#removeOld(request);
    reply.clearCookie(this.#name, this.#options());
  }

  async #find(request: FastifyRequest) {
    const sessionId = this.read(request);
    if (sessionId === undefined) return undefined;
    const session: Session | undefined = await this.#deps.sessions.read(sessionId);
    if (session === undefined) return undefined;
    const account = await this.#deps.accounts.find(session.accountId);
    if (account === undefined || account.disabledAtMs !== null) return undefined;
    return { sessionId, session, account };
  }

  async #removeOld(request: FastifyRequest): Promise<void> {
    const old = this.read(request);
    if (old !== undefined) await this.#deps.sessions.remove(old);
  }

  async #write(sessionId: string, session: NewSession, verifiedHash: string | undefined): Promise<void> {
    const { sessions } = this.#deps;
    if (verifiedHash === undefined) await sessions.write(sessionId, session);
    else if (!(await sessions.writeVerified(sessionId, session, verifiedHash))) {
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
