import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';
import { z } from 'zod';
import { verifyPassword } from '../../accounts/change-password.js';
import type { FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import type { SignedInContext } from './page-context.js';
import { operatorPage, type Page, signedInPage } from './page.js';
import { PasswordField, Username } from '../layout/password-field.js';

interface Question {
  readonly title: string;
  /** The heading. By default the title with a question mark. */
  readonly question?: string;
  /** The label of the button, which begins with a verb. */
  readonly button: string;
  readonly backTo: string;
  /** Whether the action destroys nothing. */
  readonly isHarmless?: boolean;
  /** Whether the form asks for the person's password, as the field `current`. Then `act` must verify it. */
  readonly asksPassword?: boolean;
  readonly children: ComponentChildren;
}

/** An action with a page of its own, on which a person confirms it and may have to enter the password. */
interface ConfirmedAction<Subject> {
  /** Finds the thing that the action changes. Throws a ServiceError if it does not exist. */
  readonly find: (context: SignedInContext) => Promise<Subject>;
  /** Returns a response to send instead of asking and acting, for example if the action is not possible. */
  readonly instead?: (context: SignedInContext, subject: Subject) => FastifyReply | undefined;
  readonly ask: (context: SignedInContext, subject: Subject) => Promise<Question> | Question;
  /** Does the action and responds. If it throws an error that a form can show, the page is shown again with it. */
  readonly act: (context: SignedInContext, subject: Subject) => Promise<FastifyReply>;
}

/** A page that asks for confirmation on GET, and does the action on POST, unless `instead` responds. */
export function confirmationPage<Subject>(
  access: 'signedIn' | 'operator',
  path: string,
  { find, instead, ask, act }: ConfirmedAction<Subject>,
): Page {
  async function show(context: SignedInContext, subject: Subject, problems?: FormProblems) {
    const prompt = await ask(context, subject);
    const { title, question = `${title}?`, button, backTo, isHarmless, asksPassword, children } = prompt;
    return context.render(
      { title, problems, ...(access === 'operator' ? {} : { width: 'narrow' }) },
      <>
        <h1>{question}</h1>
        {children}
        <Form
          action={context.request.url}
          {...(asksPassword === true ? { class: 'stack operator-form' } : {})}
        >
          {asksPassword === true ? (
            <>
              <Username email={context.user.account.email} />
              <PasswordField name="current" label="Your password" />
            </>
          ) : null}
          <p class="actions">
            <button type="submit" {...(isHarmless === true ? {} : { class: 'danger-button' })}>
              {button}
            </button>
            <a class="button secondary" href={backTo}>
              {isHarmless === true ? 'Back' : 'Keep it as it is'}
            </a>
          </p>
        </Form>
      </>,
    );
  }

  const page = access === 'operator' ? operatorPage : signedInPage;
  return page(path, {
    get: async (context) => {
      const subject = await find(context);
      return instead?.(context, subject) ?? show(context, subject);
    },
    post: async (context) => {
      const subject = await find(context);
      const reply = instead?.(context, subject);
      return reply ?? act(context, subject);
    },
    onError: async (context, error) => show(context, await find(context), context.problemsOf(error)),
  });
}

/** The `find` of an action that needs nothing but the signed-in person. */
export const findNothing = (): Promise<undefined> => Promise.resolve(undefined);

/** The fields of a confirmation that asks for the password. */
export const PASSWORD_FORM = z.object({ current: z.string() });

/** Verifies that the form contains its sender's password. Throws the ServiceErrors of `verifyPassword`. */
export const verifyTypedPassword = async (context: SignedInContext): Promise<void> => {
  await verifyPassword(context.domain, context.user.account.id, context.readForm(PASSWORD_FORM).current);
};
