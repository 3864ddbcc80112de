import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../../accounts/session-store.js';
import { ServiceError } from '../../platform/errors.js';
import type { CurrentUser } from '../layout/page-state.js';
import type { ConsoleDeps } from './console-deps.js';

const dayMs = 86_400_000;
const SESSION_MS = 7 * dayMs;
/** A session that is used is prolonged, but not with every page. */
const PROLONG_AFTER_MS = dayMs / 24;
const ID_BYTES = 32;

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
    const sessionId = this.read(request);
    if (sessionId === undefined) return undefined;
    const { sessions, accounts, clock } = this.#deps;
    const session = await sessions.read(sessionId);
    if (session === undefined) return undefined;
    const account = await accounts.find(session.accountId);
    if (account === undefined || account.disabledAtMs !== null) return undefined;
    if (session.expiresAtMs - clock() < SESSION_MS - PROLONG_AFTER_MS) {
      await sessions.prolong(sessionId, clock() + SESSION_MS);
      this.#set(reply, sessionId);
    }
    return { sessionId, account };
  }

  /**
   * Begins a session under a new cookie, so that a cookie that somebody planted before opens nothing. Throws a ServiceError
   * where `verifiedHash`, the hash of the password that was right, is no longer the account's, or it is disabled.
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    accountId: string,
    verifiedHash?: string,
  ): Promise<void> {
    const sessionId = this.#deps.randomBytes(ID_BYTES).toString('base64url');
    const session = { accountId, expiresAtMs: this.#deps.clock() + SESSION_MS };
    await this.#write(sessionId, session, verifiedHash);
    await this.#removeOld(request);
    this.#set(reply, sessionId);
  }

  /** Ends the session of this request. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#removeOld(request);
    reply.clearCookie(this.#name, this.#options());
  }

  async #removeOld(request: FastifyRequest): Promise<void> {
    const old = this.read(request);
    if (old !== undefined) await this.#deps.sessions.remove(old);
  }

  async #write(sessionId: string, session: Session, verifiedHash: string | undefined): Promise<void> {
    const { sessions } = this.#deps;
    if (verifiedHash === undefined) await sessions.write(sessionId, session);
    else if (!(await sessions.writeVerified(sessionId, session, verifiedHash))) {
      throw new ServiceError(
        'unauthorized',
        'The password or the account was changed meanwhile. Sign in again.',
      );
    }
  }

  #set(reply: FastifyReply, sessionId: string): void {
    reply.setCookie(this.#name, sessionId, { ...this.#options(), maxAge: SESSION_MS / 1_000 });
  }

  #options() {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#deps.isHttps } as const;
  }
}
