import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import type { DailyUsage } from '../chart/usage-words.js';
import type { UsedKey } from './read-account-usage.js';

interface AccountUsageProps {
  readonly live: readonly UsedKey[];
  /** Of all keys together, revoked ones included. */
  readonly dailyUsage: DailyUsage;
}

const count = (value: number) => value.toLocaleString('en-GB');

/** What all keys of an account have asked for. */
export function AccountUsageSection({ live, dailyUsage }: AccountUsageProps) {
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
