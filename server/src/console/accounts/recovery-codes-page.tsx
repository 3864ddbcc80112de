import { renewRecoveryCodes } from '../../accounts/second-factor.js';
import { CopyValue } from '../layout/copyable.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage, withFreshPassword } from '../routing/page.js';
import { YOUR_ACCOUNT } from '../layout/page-layout.js';
import { showMessage } from '../routing/message-page.js';
import { Actions } from '../layout/actions.js';

const PATH = '/account/second-factor/codes';
const AFTERWARDS = '/account';

export const ANY_CODE_HINT = 'The six digits that the app shows now, or a recovery code.';

export const CodeField = ({ hint }: { readonly hint: string }) => (
  <Field name="code" label="Code" autocomplete="one-time-code" hint={hint} required maxlength={50} />
);

interface NewCodes {
  readonly heading: string;
  readonly codes: readonly string[];
  /** The next page: a path of this server. */
  readonly next: string;
}

/** Shows newly made recovery codes. They are never shown again. */
export const showRecoveryCodes = (context: SignedInContext, { heading, codes, next }: NewCodes) =>
  context.render(
    { title: 'Recovery codes', width: 'narrow' },
    <>
      <h1>{heading}</h1>
      <p class="notice">
        These recovery codes are shown only now: the server stores only their hashes. Each code signs you in
        once, in place of a code from the app. Keep them where you can find them without your phone.
      </p>
      <CopyValue
        id="recovery-codes"
        label="the recovery codes"
        value={codes.join('\n')}
        fileName="signpost-recovery-codes.txt"
      />
      <Actions links={[[next, 'Go on', 'main']]} />
    </>,
  );

const showForm = (context: SignedInContext, problems?: FormProblems) =>
  context.render(
    { crumbs: [YOUR_ACCOUNT], title: 'New recovery codes', width: 'narrow', problems },
    <>
      <h1>Make new recovery codes?</h1>
      <p>You get ten new codes, and the old ones stop working. Your app keeps working.</p>
      <Form action={PATH} class="stack">
        <CodeField hint={ANY_CODE_HINT} />
        <button type="submit">Make new codes</button>
      </Form>
    </>,
  );

async function renew(context: SignedInContext) {
  const { id } = context.user.account;
  const { code } = formFields(context.request.body, ['code']);
  const codes = await renewRecoveryCodes(context.domain, id, code);
  return showRecoveryCodes(context, { heading: 'Your new recovery codes', codes, next: AFTERWARDS });
}

const showNone = (context: SignedInContext) =>
  showMessage(context, {
    title: 'No recovery codes',
    heading: 'There are no recovery codes',
    text: 'Recovery codes belong to a second factor, and yours is off.',
    links: [['/account/second-factor', 'Set up a second factor']],
  });

const whereOn: typeof withFreshPassword = (handle) =>
  withFreshPassword((context) =>
    context.user.account.hasSecondFactor ? handle(context) : showNone(context),
  );

/** GET and POST /account/second-factor/codes: makes new recovery codes and shows them once. */
export const recoveryCodesPage = signedInPage(PATH, {
  get: whereOn((context) => showForm(context)),
  post: whereOn(renew),
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
