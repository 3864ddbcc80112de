import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChild } from 'preact';
import type { z } from 'zod';
import { recordSignOut } from '../../accounts/sessions.js';
import type { Actor } from '../../audit/audit.js';
import { countOpenRequests } from '../../inbox/inbox.js';
import { shownPrefixOf } from '../../keys/api-key.js';
import type { Assets } from '../layout/assets.js';
import { formFields, type FormProblems, problemsOf, readForm } from '../layout/form-data.js';
import { renderPage, type PageHead } from '../layout/page-layout.js';
import type { CurrentUser, MenuEntry } from '../layout/page-state.js';
import type { ConsoleDeps } from './console-deps.js';
import { contentSecurityPolicy } from './security-headers.js';
import type { SessionCookie, SessionStart } from './session-cookie.js';

export interface Site {
  readonly deps: ConsoleDeps;
  readonly assets: Assets;
  readonly menu: readonly MenuEntry[];
  readonly sessionCookie: SessionCookie;
}

export class PageContext {
  readonly #site: Site;
  /**
   * One token for all forms of the page; undefined until a form needs it. If the browser has no form cookie yet, a
   * second token would come with another cookie and invalidate the first.
   */
  #formToken: string | undefined;
  #openRequests = 0;

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly user: CurrentUser | undefined,
    site: Site,
    /** Whether strangers may create an account. */
    readonly isSignUpOpen: boolean,
  ) {
    this.#site = site;
  }

  get deps(): ConsoleDeps {
    return this.#site.deps;
  }

  /** The dependencies of the domain's functions, on behalf of this request's actor. */
  get domain() {
    return { ...this.deps.domain, actor: this.actor };
  }

  /** The actor of this request, for the audit. */
  get actor(): Actor {
    return { accountId: this.user?.account.id ?? null, address: this.request.ip, via: 'console' };
  }

  /** The fields of the submitted form or, unless there is one, of the query. */
  get formOrQuery(): unknown {
    return this.request.method === 'POST' ? this.request.body : this.request.query;
  }

  /** Parses the submitted form. Throws a ServiceError with the problem of each wrong field. */
  readForm<Schema extends z.ZodObject>(schema: Schema): z.output<Schema> {
    return readForm(this.request.body, schema);
  }

  /** Converts an error to the problems of the submitted form. Rethrows an error that a form cannot show. */
  problemsOf(error: unknown, field?: string): FormProblems {
    return problemsOf(error, this.request.body, field);
  }

  /** Begins a session. Throws the ServiceErrors of `SessionCookie.begin`. */
  beginSession(start: SessionStart): Promise<void> {
    return this.#site.sessionCookie.begin(this.request, this.reply, start);
  }

  /** The session of the request, with its account, if only the second-factor code is missing. */
  findSessionAwaitingCode(): ReturnType<SessionCookie['findSessionAwaitingCode']> {
    return this.#site.sessionCookie.findSessionAwaitingCode(this.request);
  }

  async endSession(): Promise<void> {
    if (this.user !== undefined) await recordSignOut(this.domain);
    await this.#site.sessionCookie.end(this.request, this.reply);
  }

  /** Ends the session of an account that was just deleted, without recording a sign-out. */
  forgetSession(): Promise<void> {
    return this.#site.sessionCookie.end(this.request, this.reply);
  }

  /**
   * Counts the undecided requests in the inbox, for an operator's menu. A page that decides one counts again before it
   * is rendered.
   */
  async countRequests(): Promise<void> {
    if (this.user?.account.isOperator === true) this.#openRequests = await countOpenRequests(this.domain);
  }

  render(head: PageHead, content: ComponentChild): FastifyReply {
    const html = this.#html(head, content);
    const retryAfterSeconds = head.problems?.retryAfterSeconds;
    if (retryAfterSeconds !== undefined) this.reply.header('Retry-After', retryAfterSeconds);
    this.#setHeaders(head);
    // A page that has neither a user nor a form token may be the same for many visitors. Equal pages are compressed
    // once.
    return this.user === undefined && this.#formToken === undefined && this.request.method !== 'POST'
      ? this.deps.bodies.send(this.request, this.reply, Buffer.from(html))
      : this.reply.send(html);
  }

  /**
   * Sends a page that for strangers has no form token, and depends only on its path, the configuration and whether
   * sign-up is open. For strangers its compressed form is cached, unless the request has a query or a form.
   */
  renderOnce(
    head: PageHead,
    content: () => ComponentChild,
    path = this.request.routeOptions.url ?? '',
  ): FastifyReply {
    const { request, reply, user, isSignUpOpen } = this;
    if (user !== undefined || request.url !== path || request.method === 'POST')
      return this.render(head, content());
    this.#setHeaders(head);
    const key = `${path} ${isSignUpOpen ? 'open' : 'closed'}`;
    return this.deps.bodies.sendCached(request, reply, key, () => Buffer.from(this.#html(head, content())));
  }

  #setHeaders({ status, problems }: PageHead): void {
    if (!this.reply.hasHeader('Content-Security-Policy')) {
      this.reply.header('Content-Security-Policy', contentSecurityPolicy());
    }
    this.reply.code(status ?? problems?.status ?? 200).header('Content-Type', 'text/html; charset=utf-8');
  }

  #html(head: PageHead, content: ComponentChild): string {
    const { assets, menu, sessionCookie } = this.#site;
    const { done, which } = formFields(this.request.query, ['done', 'which']);
    return renderPage(
      head,
      {
        user: this.user,
        assets,
        menu,
        isSignUpOpen: this.isSignUpOpen,
        contact: this.deps.contact,
        openRequests: this.#openRequests,
        path: this.request.routeOptions.url ?? '',
        doneCode: done,
        nowMs: this.domain.clock(),
        doneKey: shownPrefixOf(which) ?? '',
        problems: head.problems,
        requestUrl: this.request.url,
        formToken: () =>
          (this.#formToken ??= this.reply.generateCsrf({ userInfo: sessionCookie.formOwner(this.request) })),
      },
      content,
    );
  }

  /** Redirects the browser to a path of this server, which it loads with GET. */
  redirect(path: string): FastifyReply {
    return this.reply.redirect(path, 303);
  }
}

export interface SignedInContext extends PageContext {
  readonly user: CurrentUser;
}
