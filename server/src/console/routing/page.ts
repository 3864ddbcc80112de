import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import type { Access } from '../layout/page-state.js';
import { withNextPath } from './next-path.js';
import type { PageContext, SignedInContext } from './page-context.js';

type Handler<Context> = (context: Context) => Promise<FastifyReply> | FastifyReply;

/** A form with a file. */
interface UploadOf<Context, Result> {
  /** How large the form may be. */
  readonly maxBytes: number;
  /** Asked before the form is read, for a file takes long to send: answers why it is refused, or nothing. */
  readonly beforeBody: (context: Context) => Result;
}

interface ShownPage<Context> {
  /** Its name in the menu; left out where it is not in the menu. */
  readonly menuLabel?: string;
  readonly get: Handler<Context>;
  /** Takes the page's form, whose token was checked. */
  readonly post?: Handler<Context>;
}

/** An address to which forms are sent, with no page of its own. */
interface FormTarget<Context> {
  readonly post: Handler<Context>;
  /** Where a GET is sent on to: browsers show this address once the form was sent, and may load it again. */
  readonly leadsTo: string | ((context: PageContext) => string);
  /** Set where the form has a file. */
  readonly upload?: UploadOf<Context, Promise<FastifyReply | undefined>>;
  /** It is sent while somebody types, and changes nothing: it is bounded apart from the forms that people send. */
  readonly isTyping?: boolean;
}

type Handlers<Context> = ShownPage<Context> | FormTarget<Context>;

/** A page, with the check of who may see it within its handlers. */
export interface Page {
  readonly path: string;
  readonly access: Access;
  readonly menuLabel: string | undefined;
  /** Whether a GET only leads to another page. */
  readonly isFormTarget: boolean;
  readonly get: Handler<PageContext>;
  readonly post: Handler<PageContext> | undefined;
  readonly upload: UploadOf<PageContext, Promise<FastifyReply | undefined> | FastifyReply> | undefined;
  readonly isTyping: boolean;
}

/** Lets those on to a handler who may, and answers the others. */
type Guard<Context> = <Result>(
  handle: (context: Context) => Result,
) => (context: PageContext) => Result | FastifyReply;

const isSignedIn = (context: PageContext): context is SignedInContext => context.user !== undefined;

/** To the change of a password that was made for somebody, and back afterwards. */
export const toNewPassword = (context: PageContext): FastifyReply =>
  context.redirect(withNextPath('/password', context.request));

/** How long the password that was given counts as given just now. */
const PASSWORD_HOLDS_MS = 10 * MINUTE_MS;

/** Lets those on who gave their password just now; others give it again, and go on to the page. */
export const withFreshPassword =
  (handle: Handler<SignedInContext>): Handler<SignedInContext> =>
  (context) =>
    context.deps.clock() - context.user.passwordAtMs < PASSWORD_HOLDS_MS
      ? handle(context)
      : context.redirect(withNextPath('/confirm-password', context.request));

/** Lets those on who are signed in; others sign in first and come back. */
const forSignedIn =
  (path: string): Guard<SignedInContext> =>
  (handle) =>
  (context) => {
    if (!isSignedIn(context)) return context.redirect(withNextPath('/signin', context.request));
    if (context.user.account.mustChangePassword && path !== '/password') return toNewPassword(context);
    return handle(context);
  };

/** Whether somebody may do what operators do: these may need a second factor for it. */
export const mayOperate = ({ user, deps }: SignedInContext): boolean =>
  user.account.isOperator && (!deps.mustOperatorsHaveSecondFactor || user.account.hasSecondFactor);

const forOperators =
  (path: string): Guard<SignedInContext> =>
  (handle) =>
    forSignedIn(path)((context) => {
      if (!context.user.account.isOperator) {
        throw new ServiceError('notFound', 'There is no such page, or only operators may see it.');
      }
      return mayOperate(context)
        ? handle(context)
        : context.redirect(withNextPath('/account/second-factor', context.request));
    });

function definePage<Context>(
  path: string,
  access: Access,
  handlers: Handlers<Context>,
  guard: Guard<Context>,
): Page {
  const post = handlers.post === undefined ? undefined : guard(handlers.post);
  if ('get' in handlers) {
    const { menuLabel, get } = handlers;
    const page = { path, access, menuLabel, upload: undefined, isTyping: false };
    return { ...page, isFormTarget: false, get: guard(get), post };
  }
  const { leadsTo, upload, isTyping = false } = handlers;
  const get: Handler<PageContext> = (context) =>
    context.redirect(typeof leadsTo === 'string' ? leadsTo : leadsTo(context));
  const guarded = upload && { ...upload, beforeBody: guard(upload.beforeBody) };
  return { path, access, menuLabel: undefined, upload: guarded, isTyping, isFormTarget: true, get, post };
}

/** A page for everybody. */
export const publicPage = (path: string, handlers: Handlers<PageContext>): Page =>
  definePage(path, 'everybody', handlers, (handle) => handle);

/** A page for those who are signed in. */
export const signedInPage = (path: string, handlers: Handlers<SignedInContext>): Page =>
  definePage(path, 'signedIn', handlers, forSignedIn(path));

/** A page for operators alone; to others it does not exist. */
export const operatorPage = (path: string, handlers: Handlers<SignedInContext>): Page => {
  const page = definePage(path, 'operator', handlers, forOperators(path));
  return page.isFormTarget ? { ...page, get: forOperators(path)(page.get) } : page;
};
