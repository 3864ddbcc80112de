import type { Session } from '../../accounts/session-store.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formFields } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';

const PATH = '/account';
const END_PATH = `${PATH}/sessions/end`;
const END_OTHERS_PATH = `${PATH}/sessions/end-others`;

/** The columns of the list of sessions; `ownKey` is that of the one that looks. */
const columnsFor = (ownKey: string): readonly Column<Session>[] => [
  { title: 'Browser', kind: 'head', cell: ({ browser }) => browser ?? 'An unknown browser' },
  { title: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { title: 'Signed in', kind: 'time', cell: ({ begunAtMs }) => <Timestamp timeMs={begunAtMs} /> },
  { title: 'Last used, to the hour', kind: 'time', cell: ({ usedAtMs }) => <Timestamp timeMs={usedAtMs} /> },
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ key, browser }) =>
      key === ownKey ? (
        <span class="badge good">This one</span>
      ) : (
        <Form action={END_PATH}>
          <input type="hidden" name="session" value={key} />
          <button type="submit" class="small destructive">
            Sign out there
            <span class="visually-hidden">: {browser ?? 'an unknown browser'}</span>
          </button>
        </Form>
      ),
  },
];

interface SessionsTableProps {
  readonly sessions: readonly Session[];
  readonly ownKey: string;
}

const SessionsTable = ({ sessions, ownKey }: SessionsTableProps) => (
  <DataTable label="Sessions" columns={columnsFor(ownKey)} rows={sessions} idOf={({ key }) => key} />
);

const DONE = new Map([
  ['session-ended', 'That browser is signed out.'],
  ['second-factor-off', 'The second factor is off: the password alone signs in.'],
  ['others-ended', 'Every other browser is signed out.'],
]);

async function showAccount(context: SignedInContext) {
  const { account, sessionKey } = context.user;
  const [sessions, codesLeft] = await Promise.all([
    context.deps.sessions.list(account.id),
    context.deps.secondFactors.recoveryCodesLeft(account.id),
  ]);
  return context.render(
    { title: 'Your account' },
    <>
      <h1>Your account</h1>
      <DoneNotice sentences={DONE} />
      <section class="card">
        <h2 class="visually-hidden">Who you are</h2>
        <dl class="facts">
          <dt>E-mail</dt>
          <dd>{account.email}</dd>
          <dt>Name</dt>
          <dd>{account.name ?? <span class="muted">none</span>}</dd>
          <dt>Second factor</dt>
          <dd>
            {account.hasSecondFactor
              ? `on, with ${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left`
              : 'off: the password alone signs in'}
          </dd>
        </dl>
        <p class="actions">
          <a class="button secondary" href="/password">
            Change your password
          </a>
          <a class="button secondary" href="/account/second-factor">
            {account.hasSecondFactor ? 'Turn off the second factor…' : 'Set up a second factor'}
          </a>
          {account.hasSecondFactor ? (
            <a class="button secondary" href="/account/second-factor/codes">
              Make new recovery codes…
            </a>
          ) : null}
          <a class="button secondary" href="/account/connections">
            Connected assistants
          </a>
          <a class="button secondary" href="/account/activity">
            What was done
          </a>
          <a class="button destructive" href="/account/delete">
            Delete the account
          </a>
        </p>
      </section>
      <section class="card" aria-labelledby="sessions">
        <h2 id="sessions">Where you are signed in</h2>
        <p>
          A browser is signed out when it was not used for a week, and 30 days after it signed in. A new
          password signs out all the others.
        </p>
        <SessionsTable sessions={sessions} ownKey={sessionKey} />
        {sessions.length > 1 ? (
          <Form action={END_OTHERS_PATH}>
            <button type="submit" class="destructive">
              Sign out everywhere else
            </button>
          </Form>
        ) : null}
      </section>
    </>,
  );
}

/** GET /account, and what is done there: who one is, and where one is signed in. */
export const accountOverviewPages = [
  signedInPage(PATH, { get: showAccount }),
  signedInPage(END_PATH, {
    post: async (context) => {
      const { session } = formFields(context.request.body, ['session']);
      await context.deps.accounts.endSession(context.actor, context.user.account.id, session);
      return context.redirect(`${PATH}?done=session-ended`);
    },
    leadsTo: PATH,
  }),
  signedInPage(END_OTHERS_PATH, {
    post: async (context) => {
      const { account, sessionId } = context.user;
      await context.deps.accounts.endOtherSessions(context.actor, account.id, sessionId);
      return context.redirect(`${PATH}?done=others-ended`);
    },
    leadsTo: PATH,
  }),
];
