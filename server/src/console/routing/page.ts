import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import type { Access } from '../layout/page-state.js';
import { withNextPath } from './next-path.js';
import { showSignedOut } from './message-page.js';
import type { PageContext, SignedInContext } from './page-context.js';

type Handler<Context> = (context: Context) => Promise<FastifyReply> | FastifyReply;

interface UploadHandlers<Context, Result> {
  readonly maxBytes: number;
  /** Runs before the form is read, because sending a file takes long. Returns the response if it rejects the form. */
  readonly beforeBody: (context: Context) => Result;
}

interface FormErrors<Context> {
  /** Responds if `post` throws, usually with the form again and its problems (see `PageContext.problemsOf`). */
  readonly onError?: ((context: Context, error: unknown) => ReturnType<Handler<Context>>) | undefined;
}

interface ShownPage<Context> extends FormErrors<Context> {
  /** The label in the menu; missing if the page is not in the menu. */
  readonly menuLabel?: string;
  readonly get: Handler<Context>;
  /** Handles the page's form, after its token was checked (see `isOpenForm`). */
  readonly post?: Handler<Context>;
  /** Whether strangers may send the form without a token: it acts only with a credential that is entered in it. */
  readonly isOpenForm?: boolean;
}

/** An address that only accepts forms and has no page of its own. */
interface FormTarget<Context> extends FormErrors<Context> {
  readonly post: Handler<Context>;
  /** The page to which a GET is redirected: browsers show the form's address after a POST, and may load it again. */
  readonly leadsTo: string | ((context: PageContext) => string);
  /** Set if the form sends a file. */
  readonly upload?: UploadHandlers<Context, Promise<FastifyReply | undefined>>;
  /** Set if the form changes nothing and is sent while somebody types. Its rate is limited separately. */
  readonly isTyping?: boolean;
}

type Handlers<Context> = ShownPage<Context> | FormTarget<Context>;

/** A page. Its handlers check who may see it. */
export interface Page {
  readonly path: string;
  readonly access: Access;
  readonly menuLabel: string | undefined;
  /** Whether a GET only redirects to another page. */
  readonly isFormTarget: boolean;
  readonly get: Handler<PageContext>;
  readonly post: Handler<PageContext> | undefined;
  readonly upload: UploadHandlers<PageContext, Promise<FastifyReply | undefined> | FastifyReply> | undefined;
  readonly isTyping: boolean;
  readonly isOpenForm: boolean;
}

/** Runs a handler only for people who may use the page. For all others it responds itself, or throws a ServiceError. */
type Guard<Context> = <Result>(
  handle: (context: Context) => Result,
) => (context: PageContext) => Result | FastifyReply;

const isSignedIn = (context: PageContext): context is SignedInContext => context.user !== undefined;

/** Redirects to the form in which a generated password must be replaced. That form then leads back. */
export const redirectToNewPassword = (context: PageContext): FastifyReply =>
  context.redirect(withNextPath('/password', context.request));

/** How long an entered password counts as recent. */
const PASSWORD_HOLDS_MS = 10 * MINUTE_MS;

/** Returns a handler that runs `handle` only if the password was entered recently, and otherwise asks for it first. */
export const withFreshPassword =
  (handle: Handler<SignedInContext>): Handler<SignedInContext> =>
  (context) =>
    context.domain.clock() - context.user.passwordAtMs < PASSWORD_HOLDS_MS
      ? handle(context)
      : context.redirect(withNextPath('/confirm-password', context.request));

/** Makes strangers sign in first, and people with a generated password replace it. Both can then return. */
const forSignedIn =
  (path: string): Guard<SignedInContext> =>
  (handle) =>
  (context) => {
    if (!isSignedIn(context))
      // A GET has no body. The body of an upload is not read yet, and has no text that is worth showing again.
      return context.request.body === undefined
        ? context.redirect(withNextPath('/signin', context.request))
        : showSignedOut(context);
    if (context.user.account.mustChangePassword && path !== '/password')
      return redirectToNewPassword(context);
    return handle(context);
  };

/** Whether a person may act as an operator. The configuration may require a second factor for that. */
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

function withErrors<Context>(post: Handler<Context>, { onError }: FormErrors<Context>): Handler<Context> {
  if (onError === undefined) return post;
  return async (context) => {
    try {
      return await post(context);
    } catch (error) {
      return onError(context, error);
    }
  };
}

function definePage<Context>(
  path: string,
  access: Access,
  handlers: Handlers<Context>,
  guard: Guard<Context>,
): Page {
  const post = handlers.post && guard(withErrors(handlers.post, handlers));
  if ('get' in handlers) {
    const { menuLabel, get, isOpenForm = false } = handlers;
    const page = { path, access, menuLabel, upload: undefined, isTyping: false, isOpenForm };
    return { ...page, isFormTarget: false, get: guard(get), post };
  }
  const { leadsTo, upload, isTyping = false } = handlers;
  const get: Handler<PageContext> = (context) =>
    context.redirect(typeof leadsTo === 'string' ? leadsTo : leadsTo(context));
  const guardedUpload = upload && { ...upload, beforeBody: guard(upload.beforeBody) };
  const page = { path, access, menuLabel: undefined, upload: guardedUpload, isTyping, isOpenForm: false };
  return { ...page, isFormTarget: true, get, post };
}

export const publicPage = (path: string, handlers: Handlers<PageContext>): Page =>
  definePage(path, 'everybody', handlers, (handle) => handle);

export const signedInPage = (path: string, handlers: Handlers<SignedInContext>): Page =>
  definePage(path, 'signedIn', handlers, forSignedIn(path));

/** A page for operators, who may have to set up a second factor first. Other signed-in people get a 404. */
export const operatorPage = (path: string, handlers: Handlers<SignedInContext>): Page => {
  const page = definePage(path, 'operator', handlers, forOperators(path));
  return page.isFormTarget ? { ...page, get: forOperators(path)(page.get) } : page;
};
