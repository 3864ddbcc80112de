import { findAccountById } from '../../accounts/account.js';
import type { EndpointState } from '../../capture/browser/browser-pool.js';
import type { QueueState } from '../../capture/capture-queue.js';
import type { QueuedAccount } from '../../capture/fair-queue.js';
import type { Finding } from '../../platform/finding.js';
import { SECOND_MS } from '../../platform/time-units.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formatCount, EmailLink } from '../layout/formatting.js';
import { LiveRegion } from '../layout/live-region.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, HEALTH_PATH as PATH } from './account-route.js';
import { BROWSER_STATES } from './server-state-cards.js';
import { Figures } from '../layout/facts.js';
import { Card } from '../layout/card.js';

const TONES: Readonly<Record<Finding['state'], string>> = {
  works: 'good',
  'could be better': 'warn',
  'does not work': 'danger',
};
const WORST_FIRST: readonly Finding['state'][] = ['does not work', 'could be better', 'works'];

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const sorted = WORST_FIRST.flatMap((state) => findings.filter((finding) => finding.state === state));
  return (
    <Card id="checks" title="Checks">
      <ul class="findings">
        {sorted.map(({ name, state, message, advice = '' }) => (
          <li>
            <span class={`badge ${TONES[state]}`}>{state}</span>
            <div class="operator-program">
              <strong>{name}</strong>: {message}
              {advice === '' ? null : <div class="muted">{advice}</div>}
            </div>
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs/how-to/monitor">How to monitor this server</a>
      </p>
    </Card>
  );
}

function QueueFigures({ state }: { readonly state: QueueState }) {
  const { browser, active, slots, queued, queueLength, captures, restarts, rejected } = state;
  const figures = [
    ['Browser', BROWSER_STATES[browser].label],
    [`Captures under way, of ${formatCount(slots)}`, formatCount(active)],
    [`Captures waiting, of ${formatCount(queueLength)}`, formatCount(queued)],
    ['Captures since the start', formatCount(captures)],
    ['Browser restarts', formatCount(restarts)],
    ['Rejected: account full', formatCount(rejected.account)],
    ['Rejected: queue full', formatCount(rejected.queue)],
  ] as const;
  return <Figures figures={figures} areSmall />;
}

const BROWSER_COLUMNS: readonly Column<EndpointState>[] = [
  { title: 'Browser', kind: 'head', cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ browser }) => (
      <span class={`badge ${BROWSER_STATES[browser].tone}`}>{BROWSER_STATES[browser].label}</span>
    ),
  },
  { title: 'Under way', kind: 'number', cell: ({ active }) => formatCount(active) },
  { title: 'What is wrong', class: 'log-words', cell: ({ problem }) => problem },
];

const Browsers = ({ endpoints }: { readonly endpoints: readonly EndpointState[] }) =>
  endpoints.length === 0 ? null : (
    <>
      <h2>Remote browsers</h2>
      <DataTable label="Remote browsers" columns={BROWSER_COLUMNS} rows={endpoints} />
    </>
  );

type NamedQueue = QueuedAccount & { readonly email: string };

const longest = (times: readonly number[]) =>
  times.length === 0 ? '–' : `${(Math.max(...times) / SECOND_MS).toFixed(1)} s`;

const WAITING_COLUMNS: readonly Column<NamedQueue>[] = [
  {
    title: 'Account',
    kind: 'head',
    cell: ({ accountId, email }) => <EmailLink href={accountPath(accountId)} email={email} />,
  },
  { title: 'Under way', kind: 'number', cell: ({ runningMs }) => formatCount(runningMs.length) },
  { title: 'The longest runs for', kind: 'number', cell: ({ runningMs }) => longest(runningMs) },
  { title: 'Waiting', kind: 'number', cell: ({ waitingMs }) => formatCount(waitingMs.length) },
  { title: 'The longest waits for', kind: 'number', cell: ({ waitingMs }) => longest(waitingMs) },
];

function Waiting({
  accounts,
  others,
}: {
  readonly accounts: readonly NamedQueue[];
  readonly others: number;
}) {
  if (accounts.length === 0) return <p>No capture is under way, and none waits.</p>;
  return (
    <>
      <h2>Who has captures under way or waiting</h2>
      <DataTable label="Who has captures under way or waiting" columns={WAITING_COLUMNS} rows={accounts} />
      {others === 0 ? null : <p class="muted">And {formatCount(others)} more accounts with fewer.</p>}
    </>
  );
}

const MAX_SHOWN_ACCOUNTS = 50;

async function findBusiest({ domain }: SignedInContext, queue: readonly QueuedAccount[]) {
  const sorted = queue.toSorted(
    (one, other) =>
      other.waitingMs.length - one.waitingMs.length || other.runningMs.length - one.runningMs.length,
  );
  const shown = sorted.slice(0, MAX_SHOWN_ACCOUNTS);
  return Promise.all(
    shown.map(async (account) => {
      const found = await findAccountById(domain, account.accountId);
      return { ...account, email: found?.email ?? account.accountId };
    }),
  );
}

/** GET /operator/health: the checks, the browsers and the queue, and the accounts with captures running or waiting. */
export const healthPage = operatorPage(PATH, {
  menuLabel: 'Health',
  get: async (context) => {
    const { capture, examine } = context.deps;
    const state = capture.state();
    const [findings, accounts] = await Promise.all([examine(), findBusiest(context, state.accounts)]);
    return context.render(
      { title: 'Health' },
      <>
        <div class="page-head">
          <h1>Health</h1>
        </div>
        <LiveRegion>
          <Findings findings={findings} />
          <h2>Browsers and queue</h2>
          <QueueFigures state={state} />
          <Waiting accounts={accounts} others={state.accounts.length - accounts.length} />
          <Browsers endpoints={state.endpoints} />
        </LiveRegion>
      </>,
    );
  },
});
