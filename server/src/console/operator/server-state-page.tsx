import { listAccountSummaries } from '../../accounts/account-summaries.js';
import type { CaptureState } from '../../capture/capture-service.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { listReturnUrls } from '../../tokens/return-urls.js';
import type { OverallUsage } from '../../usage/read-key-usage.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { DIRECTORY_PATH, HEALTH_PATH } from './account-route.js';
import { CaptureCard, DirectoryCard, ServerCard } from './server-state-cards.js';
import { TopKeys } from './top-keys.js';
import { operatorPage } from '../routing/page.js';
import { Figures } from '../layout/facts.js';

interface StateWarningsProps {
  readonly directory: DirectoryInfo;
  readonly browser: CaptureState['browser'];
  readonly isProxyIgnored: boolean;
}

const StateWarnings = ({ directory, browser, isProxyIgnored }: StateWarningsProps) => (
  <>
    {browser === 'down' ? (
      <p class="notice danger">
        The browser is down, so captures are refused. See <a href={HEALTH_PATH}>Health</a>.
      </p>
    ) : null}
    {isProxyIgnored ? (
      <p class="notice danger">
        Requests come through a reverse proxy, but <code>SIGNPOST_TRUST_PROXY</code> is not set: limits per
        address count all callers of the proxy as one. Set it to the address that the proxy connects from, and
        restart the server.
      </p>
    ) : null}
    {directory.isSample ? (
      <p class="notice">
        Only the built-in sample of {formatCount(directory.rows)} postcodes is loaded; all others are unknown.{' '}
        <a href={DIRECTORY_PATH}>Import the whole directory</a>: the server uses it without a restart.
      </p>
    ) : null}
  </>
);

const UsageSection = ({ usage }: { readonly usage: OverallUsage }) => (
  <section aria-labelledby="usage">
    <h2 id="usage">Requests of all keys</h2>
    <Figures
      figures={[
        ['Requests today (UTC)', formatCount(usage.requestsToday)],
        ['Requests this minute', formatCount(usage.requestsThisMinute)],
        ['Keys active today', formatCount(usage.activeKeys)],
        ['Requests in total', formatCount(usage.totalRequests)],
        [
          'Average response time',
          `${usage.averageResponseTimeMs.toLocaleString('en-GB', { maximumFractionDigits: 1 })} ms`,
        ],
      ]}
    />
    <DailyUsageChart dailyUsage={usage.dailyUsage} label="Requests of all keys per day" />
    <p class="muted">
      {usage.lastRequestAtMs === null ? (
        'No key has made a request yet.'
      ) : (
        <>
          Last request: <Timestamp timeMs={usage.lastRequestAtMs} />.
        </>
      )}
    </p>
  </section>
);

const SHOWN_KEYS = 5;

/** GET /operator: the state of the server at a glance. */
export const serverStatePage = operatorPage('/operator', {
  menuLabel: 'This server',
  get: async (context) => {
    const { deps } = context;
    const [usage, top, { total: accountCount }, returnUrls] = await Promise.all([
      deps.usage.ofAllKeys(),
      deps.history.ofPeriod('day', {}),
      listAccountSummaries(context.domain, { offset: 0, limit: 1 }),
      listReturnUrls(context.domain),
    ]);
    const directory = deps.directories.current().info;
    const captures = deps.capture.state();
    return context.render(
      { title: 'This server' },
      <>
        <h1>This server</h1>
        <StateWarnings
          directory={directory}
          browser={captures.browser}
          isProxyIgnored={deps.isProxyIgnored()}
        />
        <UsageSection usage={usage} />
        {top.keys.length === 0 ? null : (
          <TopKeys title="Keys with the most requests in 24 hours" keys={top.keys.slice(0, SHOWN_KEYS)} />
        )}
        <ul class="cards operator-cards">
          <DirectoryCard info={directory} />
          <CaptureCard state={captures} />
          <ServerCard
            deps={deps}
            isSignUpOpen={context.isSignUpOpen}
            accountCount={accountCount}
            returnUrlCount={returnUrls.length}
          />
        </ul>
      </>,
    );
  },
});
