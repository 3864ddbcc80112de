import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import type { AccountUsage } from './read-account-usage.js';

const count = (value: number) => value.toLocaleString('en-GB');

/** What all keys of an account have asked for. */
export function AccountUsageSection({ usage: { usedKeys, dailyUsage } }: { readonly usage: AccountUsage }) {
  const live = usedKeys.filter(({ key }) => key.revokedAtMs === null);
  const usedUp = live.filter(({ leftToday }) => leftToday === 0);
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <dl class="figures">
        <div>
          <dt>Requests today (UTC)</dt>
          <dd>{count(dailyUsage.at(-1)?.requestCount ?? 0)}</dd>
        </div>
        <div>
          <dt>Live keys</dt>
          <dd>{count(live.length)}</dd>
        </div>
        <div>
          <dt>Keys used up today</dt>
          <dd>{count(usedUp.length)}</dd>
        </div>
      </dl>
      <DailyUsageChart dailyUsage={dailyUsage} label="Requests of all your keys per day" />
    </section>
  );
}
