import { signInWithCode } from '../../accounts/second-factor.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { nextPathOf } from '../routing/next-path.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { findAskingSite } from './asking-site.js';
import { CodeField } from './recovery-codes-page.js';
import { showMessage } from '../routing/message-page.js';

const PATH = '/signin/code';

/** The path of the page that asks for the second-factor code and then continues to `next`, a path of this server. */
export const codePath = (next: string) => `${PATH}?next=${encodeURIComponent(next)}`;

async function showForm(context: PageContext, problems?: FormProblems) {
  const next = nextPathOf(context);
  await findAskingSite(context, next);
  return context.render(
    { title: 'Second factor', width: 'narrow', problems },
    <>
      <h1>Enter your code</h1>
      <Form action={PATH} class="stack">
        <input type="hidden" name="next" value={next} />
        <CodeField hint="The six digits that your app shows now, or one of your recovery codes." />
        <button type="submit">Sign in</button>
      </Form>
      <p class="aside">
        <a href={`/signin?next=${encodeURIComponent(next)}`}>Sign in as somebody else</a>. If you have lost
        both the app and the codes, the operator can turn the second factor off.
      </p>
    </>,
  );
}

const showTooLate = (context: PageContext) =>
  showMessage(context, {
    title: 'Sign in first',
    heading: 'Your password comes first',
    text: 'You enter the code after the password, within ten minutes.',
    links: [[`/signin?next=${encodeURIComponent(nextPathOf(context))}`, 'Sign in']],
  });

/** GET and POST /signin/code: asks for the second-factor code to complete a sign-in. */
export const signInCodePage = publicPage(PATH, {
  get: async (context) =>
    (await context.findSessionAwaitingCode()) === undefined ? showTooLate(context) : showForm(context),
  post: async (context) => {
    const { code } = formFields(context.request.body, ['code']);
    const awaited = await context.findSessionAwaitingCode();
    if (awaited === undefined) return showTooLate(context);
    const { account, sessionId } = awaited;
    const isAccepted = await signInWithCode(context.domain, { accountId: account.id, code, sessionId });
    return isAccepted ? context.redirect(nextPathOf(context)) : showTooLate(context);
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
