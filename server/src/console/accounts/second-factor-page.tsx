import { encode } from 'uqr';
import { verifyPassword } from '../../accounts/change-password.js';
import { confirmSecondFactor, setUpSecondFactor, turnOffSecondFactor } from '../../accounts/second-factor.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { CopyValue } from '../layout/copyable.js';
import { Form, Submit } from '../layout/form.js';
import { nextPathOf } from '../routing/next-path.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage, withFreshPassword } from '../routing/page.js';
import { ANY_CODE_HINT, CodeField, showRecoveryCodes } from './recovery-codes-page.js';
import { YOUR_ACCOUNT } from '../layout/page-layout.js';
import { PasswordField, Username } from '../layout/password-field.js';

const PATH = '/account/second-factor';
const OFF_PATH = `${PATH}/off`;
const AFTERWARDS = '/account';

const QUIET_MODULES = 4;

/** The QR code of a text as an SVG, with all dark modules in one path. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

async function showSetUp(context: SignedInContext, problems?: FormProblems) {
  const { account } = context.user;
  const { mustOperatorsHaveSecondFactor } = context.deps;
  const { secret, uri } = await setUpSecondFactor(context.domain, account);
  return context.render(
    { crumbs: [YOUR_ACCOUNT], title: 'Set up a second factor', width: 'narrow', problems },
    <>
      <h1>Set up a second factor</h1>
      {mustOperatorsHaveSecondFactor && account.isOperator ? (
        <p class="notice">On this server, operators need a second factor. Set it up to continue.</p>
      ) : null}
      <p>
        With a second factor, you sign in with your password and a code. An authenticator app on your phone
        shows a new code every 30 seconds. Scan this with the app:
      </p>
      <QrCode text={uri} label="The secret as a QR code, the same as the text below" />
      <p>Or type this into it:</p>
      <CopyValue id="second-factor-secret" label="the secret" value={secret} />
      <Form action={PATH} class="stack">
        <input type="hidden" name="next" value={nextPathOf(context, AFTERWARDS)} />
        <CodeField hint="The six digits that the app shows now." />
        <button type="submit">Turn it on</button>
      </Form>
      <p class="aside">Your other sessions, on other devices, are signed out.</p>
    </>,
  );
}

const showTurnOff = (context: SignedInContext, problems?: FormProblems) =>
  context.render(
    { crumbs: [YOUR_ACCOUNT], title: 'Turn off the second factor', width: 'narrow', problems },
    <>
      <h1>Turn off the second factor?</h1>
      <p>
        After that, your password is enough to sign in, and the recovery codes stop working. To move to
        another phone, turn it off and set it up again; new recovery codes{' '}
        <a href="/account/second-factor/codes">are made without that</a>.
      </p>
      <Form action={OFF_PATH} class="stack">
        <Username email={context.user.account.email} />
        <PasswordField label="Password" />
        <CodeField hint={ANY_CODE_HINT} />
        <Submit look="danger-button">Turn it off</Submit>
      </Form>
    </>,
  );

async function turnOn(context: SignedInContext) {
  const { account, sessionId } = context.user;
  const { code } = formFields(context.request.body, ['code']);
  if (account.hasSecondFactor) return context.redirect(PATH);
  const codes = await confirmSecondFactor(context.domain, { accountId: account.id, code, sessionId });
  const next = nextPathOf(context, AFTERWARDS);
  return showRecoveryCodes(context, { heading: 'The second factor is on', codes, next });
}

/**
 * GET /account/second-factor: the form that sets up a second factor or, if it is on, turns it off. POST turns it on,
 * POST …/off turns it off.
 */
export const secondFactorPages = [
  signedInPage(PATH, {
    get: (context) =>
      context.user.account.hasSecondFactor
        ? showTurnOff(context)
        : withFreshPassword((fresh) => showSetUp(fresh))(context),
    post: withFreshPassword(turnOn),
    onError: (context, error) => showSetUp(context, context.problemsOf(error)),
  }),
  signedInPage(OFF_PATH, {
    post: async (context) => {
      const { password, code } = formFields(context.request.body, ['password', 'code']);
      const { id, hasSecondFactor } = context.user.account;
      if (!hasSecondFactor) return context.redirect(PATH);
      await verifyPassword(context.domain, id, password);
      await turnOffSecondFactor(context.domain, id, code);
      return context.redirect(`${AFTERWARDS}?done=second-factor-off`);
    },
    onError: (context, error) => showTurnOff(context, context.problemsOf(error)),
    leadsTo: PATH,
  }),
];
