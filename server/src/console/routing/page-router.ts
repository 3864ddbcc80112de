import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import type { ComponentChild } from 'preact';
import type { Assets } from '../assets.js';
import type { ConsoleDeps, CurrentUser } from './console-deps.js';
import { renderPage, type PageHead } from '../layout/page-layout.js';
import { ServiceError } from '../../platform/errors.js';
import { contentSecurityPolicy } from './security-headers.js';
import type { SessionCookie } from './session-cookie.js';

/** One look at one page. */
export class PageContext {
  /** One for all forms of the page: each that is made anew ends the one before in a browser without any. */
  private formToken: string | undefined;

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly visitor: CurrentUser | undefined,
    private readonly assets: Assets,
    private readonly isSignUpOpen: boolean,
    private readonly cookie: SessionCookie,
  ) {}

  /** Answers a page. */
  page(head: PageHead, content: ComponentChild): FastifyReply {
    const html = renderPage(
      head,
      {
        visitor: this.visitor,
        assets: this.assets,
        isSignUpOpen: this.isSignUpOpen,
        path: this.request.routeOptions.url ?? '',
        formToken: () =>
          (this.formToken ??= this.reply.generateCsrf({ userInfo: this.cookie.formOwner(this.request) })),
      },
      content,
    );
    const wait = head.problems?.retryAfterSeconds;
    if (wait !== undefined) this.reply.header('Retry-After', wait);
    if (!this.reply.hasHeader('Content-Security-Policy')) {
      this.reply.header('Content-Security-Policy', contentSecurityPolicy());
    }
    return this.reply
      .code(head.status ?? head.problems?.status ?? 200)
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(html);
  }

  /** Sends the browser to a path of this server, to be got. */
  redirect(path: string): FastifyReply {
    return this.reply.header('Cache-Control', 'no-store').redirect(path, 303);
  }
}

/** A visit of somebody who is signed in. */
export interface SignedInContext extends PageContext {
  readonly visitor: CurrentUser;
}

type Method = 'GET' | 'POST';
type Handler<V> = (visit: V) => Promise<FastifyReply> | FastifyReply;

const isSignedIn = (visit: PageContext): visit is SignedInContext => visit.visitor !== undefined;

/** Adds pages: who may see them is said with each. What is sent to one must carry the token of its form. */
export class PageRouter {
  constructor(
    readonly server: FastifyInstance,
    readonly parts: ConsoleDeps,
    private readonly assets: Assets,
    readonly sessionCookie: SessionCookie,
  ) {}

  private readonly checkForm: preHandlerHookHandler = (request, reply, done) => {
    this.server.csrfProtection(request, reply, done);
  };

  /** Whoever has no session shows who they are in the form, if at all. */
  private readonly checkStranger: onRequestHookHandler = (request, _reply, done) => {
    const isStranger = this.sessionCookie.read(request) === undefined;
    done(isStranger ? this.parts.refusals.beforeBody(request) : undefined);
  };

  async visit(request: FastifyRequest, reply: FastifyReply): Promise<PageContext> {
    return this.visitOf(request, reply, await this.sessionCookie.findVisitor(request, reply));
  }

  /** A visit of whoever it is, without asking the database. */
  anonymousVisit(request: FastifyRequest, reply: FastifyReply): PageContext {
    return this.visitOf(request, reply, undefined);
  }

  private visitOf(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: CurrentUser | undefined,
  ): PageContext {
    return new PageContext(request, reply, visitor, this.assets, this.parts.isSignUpOpen, this.sessionCookie);
  }

  /** A page for everybody. */
  open(method: Method, url: string, handle: Handler<PageContext>): void {
    this.server.route({
      method,
      url,
      ...(method === 'POST' ? { onRequest: this.checkStranger, preHandler: this.checkForm } : {}),
      handler: async (request, reply) => handle(await this.visit(request, reply)),
    });
  }

  /** A page for those who are signed in; others sign in first and come back. */
  signedIn(method: Method, url: string, handle: Handler<SignedInContext>): void {
    this.open(method, url, (visit) => {
      if (!isSignedIn(visit)) return visit.redirect(withNext('/signin', visit.request));
      if (visit.visitor.account.mustChangePassword && url !== '/password') return toNewPassword(visit);
      return handle(visit);
    });
  }

  /** A page for operators alone. */
  operator(method: Method, url: string, handle: Handler<SignedInContext>): void {
    this.signedIn(method, url, (visit) => {
      if (visit.visitor.account.isOperator) return handle(visit);
      throw new ServiceError('notFound', 'There is no such page, or it is for operators alone.');
    });
  }
}

/** To the change of a password that was made for somebody, and back afterwards. */
export const toNewPassword = (visit: PageContext): FastifyReply =>
  visit.redirect(withNext('/password', visit.request));

/** An address of ours that leads on to the page that was asked for, where it can be asked for again. */
const withNext = (path: string, { method, url }: FastifyRequest) =>
  method === 'GET' ? `${path}?next=${encodeURIComponent(url)}` : path;
