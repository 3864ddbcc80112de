import { z } from 'zod';
import { setAlerts, setPageLogging } from '../../accounts/account-state.js';
import { normaliseEmail } from '../../accounts/account.js';
import { LIMITS } from '@signpost/contract';
import { changeEmail, renameAccount } from '../../accounts/change-account.js';
import { countRecoveryCodes } from '../../accounts/second-factor.js';
import { endOtherSessions, endSession, listSessions } from '../../accounts/sessions.js';
import { type AllowedSite, listAllowedSites } from '../../tokens/allowed-sites.js';
import { field, formFields, type FormProblems, SWITCH_FORM } from '../layout/form-data.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import {
  ALERTS_PATH,
  AlertsCard,
  Card,
  DeletionCard,
  EMAIL_PATH,
  EmailCard,
  LogCard,
  NAME_PATH,
  NameCard,
  PAGE_LOGGING_PATH,
  PasswordCard,
  SecondFactorCard,
} from './account-cards.js';
import { AllowedSiteTable } from './allowed-sites.js';
import { END_OTHERS_PATH, END_SESSION_PATH, readSessionPaging, SessionList } from './session-list.js';

const PATH = '/account';

const DONE = new Map([
  ['alerts-on', 'Mail about limits is on.'],
  ['alerts-off', 'Mail about limits is off.'],
  ['pages-on', 'The log of requests has the addresses of pages from now on.'],
  ['pages-off', 'The log of requests has no address of a page any more.'],
  ['name', 'Your name is changed.'],
  ['email', 'Your e-mail is changed: sign in with the new one from now on.'],
  ['password', 'Your password is changed. Your other sessions are signed out.'],
  ['session-ended', 'That browser is signed out.'],
  ['second-factor-off', 'The second factor is off: the password is enough to sign in.'],
  ['others-ended', 'Every other browser is signed out.'],
  ['site-withdrawn', 'You will be asked before that site gets a token again.'],
]);

const SitesCard = ({ sites }: { readonly sites: readonly AllowedSite[] }) => (
  <Card id="sites" title="Sites you sign in to">
    <p>
      These sites get an access token of yours whenever they send you here to sign in, without asking you
      again. After you withdraw that, a token that a site already has works for up to{' '}
      {LIMITS.accessTokenLifetimeMinutes} minutes.
    </p>
    <AllowedSiteTable sites={sites} />
  </Card>
);

async function showAccount(context: SignedInContext, problems?: FormProblems) {
  const { user, deps, domain } = context;
  const { account, sessionKey } = user;
  const sessionPaging = readSessionPaging(context.request.query);
  const [{ sessions, total }, codesLeft, sites] = await Promise.all([
    listSessions(domain, account.id, sessionPaging),
    countRecoveryCodes(domain, account.id),
    listAllowedSites(domain, account.id),
  ]);
  return context.render(
    { title: 'Your account', problems },
    <>
      <h1>Your account</h1>
      <DoneNotice sentences={DONE} />
      <NameCard name={account.name} />
      <EmailCard email={account.email} />
      <PasswordCard />
      <SecondFactorCard isOn={account.hasSecondFactor} codesLeft={codesLeft} />
      {deps.notifications.reaches(account.email) && (
        <AlertsCard email={account.email} areOn={account.wantsAlerts} />
      )}
      <Card id="sessions" title="Where you are signed in">
        <p>
          A browser is signed out after a week without use, and 30 days after signing in. You can be signed in
          with {LIMITS.sessions.max} browsers: one more signs out the one that was not used for longest.{' '}
          <a href="/account/activity">See the activity of your account</a>, and from where.
        </p>
        <SessionList sessions={sessions} total={total} paging={sessionPaging} ownKey={sessionKey} />
      </Card>
      {(account.hasApiAccess || sites.length > 0) && <SitesCard sites={sites} />}
      <LogCard logsPages={account.logsPages} />
      <DeletionCard />
    </>,
  );
}

const EMAIL_FORM = z.object({ email: field(normaliseEmail), current: z.string() });

/**
 * Makes the page that handles one form. `act` makes the change and returns a key of `DONE`. If `name` is given, the
 * account page shows errors, those about invalid input at the field with this name.
 */
const formOf = (path: string, act: (context: SignedInContext) => Promise<string>, name?: string) =>
  signedInPage(path, {
    post: async (context) => context.redirect(`${PATH}?done=${await act(context)}`),
    onError:
      name === undefined
        ? undefined
        : (context, error) => showAccount(context, context.problemsOf(error, name)),
    leadsTo: PATH,
  });

const switchOf = (path: string, name: string, set: typeof setAlerts) =>
  formOf(path, async (context) => {
    const { state } = context.readForm(SWITCH_FORM);
    await set(context.domain, context.user.account.id, state === 'on');
    return `${name}-${state}`;
  });

/**
 * GET /account and the pages that handle its forms: name, e-mail, sessions, and the settings for mail about limits and
 * for the addresses of pages in the log of requests.
 */
export const ownAccountPages = [
  signedInPage(PATH, { get: (context) => showAccount(context) }),
  formOf(
    NAME_PATH,
    async ({ domain, user, request }) => {
      await renameAccount(domain, user.account.id, formFields(request.body, ['name']).name);
      return 'name';
    },
    'name',
  ),
  formOf(
    EMAIL_PATH,
    async (context) => {
      const accountId = context.user.account.id;
      await changeEmail(context.domain, { accountId, ...context.readForm(EMAIL_FORM) });
      return 'email';
    },
    'email',
  ),
  formOf(END_SESSION_PATH, async ({ domain, user, request }) => {
    await endSession(domain, user.account.id, formFields(request.body, ['session']).session);
    return 'session-ended';
  }),
  formOf(END_OTHERS_PATH, async ({ domain, user }) => {
    await endOtherSessions(domain, user.account.id, user.sessionId);
    return 'others-ended';
  }),
  switchOf(ALERTS_PATH, 'alerts', setAlerts),
  switchOf(PAGE_LOGGING_PATH, 'pages', setPageLogging),
];
