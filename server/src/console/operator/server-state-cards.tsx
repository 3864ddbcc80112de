import type { QueueState } from '../../capture/capture-queue.js';
import { VERSION } from '../../platform/version.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { formatLimits } from '../keys/key-display.js';
import { formatCount } from '../layout/formatting.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import { ACCOUNTS_PATH, DIRECTORY_PATH, HEALTH_PATH, MAINTENANCE_PATH } from './account-route.js';
import { DirectoryFacts } from './directory-facts.js';
import { RETURN_URLS_PATH } from './return-urls-page.js';

/** The badge of each browser state. */
export const BROWSER_STATES = {
  ready: { label: 'ready', tone: 'good' },
  starting: { label: 'starting', tone: 'warn' },
  down: { label: 'down', tone: 'danger' },
} as const;

/** The state of the browser, and the running and queued captures. */
export function CaptureCard({ state }: { readonly state: QueueState }) {
  const { label, tone } = BROWSER_STATES[state.browser];
  return (
    <li class="card">
      <h2>
        <a href={HEALTH_PATH}>Captures</a>
      </h2>
      <dl class="facts">
        <dt>Browser</dt>
        <dd>
          <span class={`badge ${tone}`}>{label}</span>
        </dd>
        <dt>Program</dt>
        <dd class="operator-program">{state.program}</dd>
        <dt>Under way</dt>
        <dd>{formatCount(state.active)}</dd>
        <dt>Waiting</dt>
        <dd>{formatCount(state.queued)}</dd>
        <dt>Since the start</dt>
        <dd>
          {formatCount(state.captures)} {state.captures === 1 ? 'capture' : 'captures'}
        </dd>
        <dt>Browser restarts</dt>
        <dd>{formatCount(state.restarts)}</dd>
      </dl>
    </li>
  );
}

/** The postcode directory in use. */
export function DirectoryCard({ info }: { readonly info: DirectoryInfo }) {
  return (
    <li class="card">
      <h2>
        <a href={DIRECTORY_PATH}>Postcode directory</a>
      </h2>
      <DirectoryFacts info={info} />
    </li>
  );
}

interface ServerCardProps {
  readonly deps: Pick<ConsoleDeps, 'defaultLimits' | 'accountLimits' | 'publicUrl'>;
  readonly isSignUpOpen: boolean;
  readonly accountCount: number;
  readonly returnUrlCount: number;
}

/** The configuration of this server. */
export function ServerCard({ deps, isSignUpOpen, accountCount, returnUrlCount }: ServerCardProps) {
  return (
    <li class="card">
      <h2>Server</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{VERSION}</dd>
        <dt>Address</dt>
        <dd class="operator-program">{deps.publicUrl()}</dd>
        <dt>Sign-up</dt>
        <dd>
          <a href={MAINTENANCE_PATH}>{isSignUpOpen ? 'open' : 'closed: operators make the accounts'}</a>
        </dd>
        <dt>Limits of a key</dt>
        <dd>{formatLimits(deps.defaultLimits)}, unless the key has its own</dd>
        <dt>Limits of an account</dt>
        <dd>{formatLimits(deps.accountLimits)} for all its keys together, unless the account has its own</dd>
        <dt>Accounts</dt>
        <dd>
          <a href={ACCOUNTS_PATH}>{formatCount(accountCount)}</a>
        </dd>
        <dt>Return URLs</dt>
        <dd>
          <a href={RETURN_URLS_PATH}>{formatCount(returnUrlCount)}</a>
        </dd>
      </dl>
    </li>
  );
}
