import type { QueueState } from '../../capture/capture-queue.js';
import { VERSION } from '../../platform/version.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { formatLimits } from '../keys/key-display.js';
import { formatCount } from '../layout/formatting.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import { ACCOUNTS_PATH, DIRECTORY_PATH, HEALTH_PATH, MAINTENANCE_PATH } from './account-route.js';
import { DirectoryFacts } from './directory-facts.js';
import { RETURN_URLS_PATH } from './return-urls-page.js';
import { Facts } from '../layout/facts.js';

export const BROWSER_STATES = {
  ready: { label: 'ready', tone: 'good' },
  starting: { label: 'starting', tone: 'warn' },
  down: { label: 'down', tone: 'danger' },
} as const;

export function CaptureCard({ state }: { readonly state: QueueState }) {
  const { label, tone } = BROWSER_STATES[state.browser];
  return (
    <li class="card">
      <h2>
        <a href={HEALTH_PATH}>Captures</a>
      </h2>
      <Facts
        facts={[
          ['Browser', <span class={`badge ${tone}`}>{label}</span>],
          ['Program', <span class="operator-program">{state.program}</span>],
          ['Under way', formatCount(state.active)],
          ['Waiting', formatCount(state.queued)],
          [
            'Since the start',
            <>
              {formatCount(state.captures)} {state.captures === 1 ? 'capture' : 'captures'}
            </>,
          ],
          ['Browser restarts', formatCount(state.restarts)],
        ]}
      />
    </li>
  );
}

export const DirectoryCard = ({ info }: { readonly info: DirectoryInfo }) => (
  <li class="card">
    <h2>
      <a href={DIRECTORY_PATH}>Postcode directory</a>
    </h2>
    <DirectoryFacts info={info} />
  </li>
);

interface ServerCardProps {
  readonly deps: Pick<ConsoleDeps, 'defaultLimits' | 'accountLimits' | 'publicUrl'>;
  readonly isSignUpOpen: boolean;
  readonly accountCount: number;
  readonly returnUrlCount: number;
}

export const ServerCard = ({ deps, isSignUpOpen, accountCount, returnUrlCount }: ServerCardProps) => (
  <li class="card">
    <h2>Server</h2>
    <Facts
      facts={[
        ['Version', VERSION],
        ['Address', <span class="operator-program">{deps.publicUrl()}</span>],
        [
          'Sign-up',
          <a href={MAINTENANCE_PATH}>{isSignUpOpen ? 'open' : 'closed: operators make the accounts'}</a>,
        ],
        ['Limits of a key', <>{formatLimits(deps.defaultLimits)}, unless the key has its own</>],
        [
          'Limits of an account',
          <>{formatLimits(deps.accountLimits)} for all its keys together, unless the account has its own</>,
        ],
        ['Accounts', <a href={ACCOUNTS_PATH}>{formatCount(accountCount)}</a>],
        ['Return URLs', <a href={RETURN_URLS_PATH}>{formatCount(returnUrlCount)}</a>],
      ]}
    />
  </li>
);
