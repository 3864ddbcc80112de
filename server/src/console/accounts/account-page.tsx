import { z } from 'zod';
import { setAlerts, setPageLogging } from '../../accounts/account-state.js';
import { normaliseEmail } from '../../accounts/account.js';
import { LIMITS } from '@signpost/contract';
import { changeEmail, renameAccount } from '../../accounts/change-account.js';
import { countRecoveryCodes } from '../../accounts/second-factor.js';
import { endOtherSessions, endSession, listSessions } from '../../accounts/sessions.js';
import { type AllowedSite, listAllowedSites } from '../../tokens/allowed-sites.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
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

/** The problems of a form on this page that was rejected. */
interface Rejected {
  readonly name?: FormProblems;
  readonly email?: FormProblems;
}

const SitesCard = ({ sites }: { readonly sites: readonly AllowedSite[] }) => (
  <Card id="sites" title="Sites you sign in to">
    <p>
      These sites get an access token of yours whenever they send you here to sign in, without asking you
      again. After you withdraw that, a token that a site already has works for up to{' '}
      {LIMITS.accessTokenLifetimeMinutes} minutes.
    </p>
    {sites.length === 0 ? <p class="muted">No site.</p> : <AllowedSiteTable sites={sites} />}
  </Card>
);

async function showAccount(context: SignedInContext, rejected: Rejected = {}) {
  const { user, deps, domain } = context;
  const { account, sessionKey } = user;
  const sessionPaging = readSessionPaging(context.request.query);
  const [{ sessions, total }, codesLeft, sites] = await Promise.all([
    listSessions(domain, account.id, sessionPaging),
    countRecoveryCodes(domain, account.id),
    listAllowedSites(domain, account.id),
  ]);
  return context.render(
    { title: 'Your account', problems: rejected.name ?? rejected.email },
    <>
      <h1>Your account</h1>
      <DoneNotice sentences={DONE} />
      <NameCard account={account} problems={rejected.name} />
      <EmailCard account={account} problems={rejected.email} />
      <PasswordCard />
      <SecondFactorCard isOn={account.hasSecondFactor} codesLeft={codesLeft} />
      {deps.notifications.reaches(account.email) ? (
        <AlertsCard email={account.email} areOn={account.wantsAlerts} />
      ) : null}
      <Card id="sessions" title="Where you are signed in">
        <p>
          A browser is signed out after a week without use, and 30 days after signing in. You can be signed in
          with {LIMITS.sessions.max} browsers: one more signs out the one that was not used for longest.{' '}
          <a href="/account/activity">See the activity of your account</a>, and from where.
        </p>
        <SessionList sessions={sessions} total={total} paging={sessionPaging} ownKey={sessionKey} />
      </Card>
      {account.hasApiAccess || sites.length > 0 ? <SitesCard sites={sites} /> : null}
      <LogCard logsPages={account.logsPages} />
      <DeletionCard />
    </>,
  );
}

const EMAIL_FORM = z.object({ email: field(normaliseEmail), current: z.string() });

async function saveEmail(context: SignedInContext) {
  const accountId = context.user.account.id;
  try {
    await changeEmail(context.domain, { accountId, ...context.readForm(EMAIL_FORM) });
  } catch (error) {
    return showAccount(context, { email: context.problemsOf(error, 'email') });
  }
  return context.redirect(`${PATH}?done=email`);
}

const SWITCH = z.object({ state: z.enum(['on', 'off'], { error: 'The state must be "on" or "off".' }) });

/** A form that turns a setting of the account on or off. */
const switchOf = (path: string, name: string, set: typeof setAlerts) =>
  signedInPage(path, {
    post: async (context) => {
      const { state } = context.readForm(SWITCH);
      await set(context.domain, context.user.account.id, state === 'on');
      return context.redirect(`${PATH}?done=${name}-${state}`);
    },
    leadsTo: PATH,
  });

/** GET /account and its forms: profile, ways to sign in, and sessions. */
export const ownAccountPages = [
  signedInPage(PATH, { get: (context) => showAccount(context) }),
  signedInPage(NAME_PATH, {
    post: async (context) => {
      const { name } = formFields(context.request.body, ['name']);
      try {
        await renameAccount(context.domain, context.user.account.id, name);
      } catch (error) {
        return showAccount(context, { name: context.problemsOf(error, 'name') });
      }
      return context.redirect(`${PATH}?done=name`);
    },
    leadsTo: PATH,
  }),
  signedInPage(EMAIL_PATH, { post: saveEmail, leadsTo: PATH }),
  signedInPage(END_SESSION_PATH, {
    post: async (context) => {
      const { session } = formFields(context.request.body, ['session']);
      await endSession(context.domain, context.user.account.id, session);
      return context.redirect(`${PATH}?done=session-ended`);
    },
    leadsTo: PATH,
  }),
  switchOf(ALERTS_PATH, 'alerts', setAlerts),
  switchOf(PAGE_LOGGING_PATH, 'pages', setPageLogging),
  signedInPage(END_OTHERS_PATH, {
    post: async (context) => {
      const { account, sessionId } = context.user;
      await endOtherSessions(context.domain, account.id, sessionId);
      return context.redirect(`${PATH}?done=others-ended`);
    },
    leadsTo: PATH,
  }),
];
