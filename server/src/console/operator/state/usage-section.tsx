import type { OverallUsage } from '../../../usage/read-key-usage.js';
import { DailyUsageChart } from '../../chart/daily-usage-chart.js';
import { Moment } from '../../layout/moment.js';

const count = (value: number) => value.toLocaleString('en-GB');

/** What all keys together have asked for. */
export function UsageSection({ usage }: { readonly usage: OverallUsage }) {
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Requests of all keys</h2>
      <dl class="figures">
        <div>
          <dt>Requests today (UTC)</dt>
          <dd>{count(usage.requestsToday)}</dd>
        </div>
        <div>
          <dt>Requests this minute</dt>
          <dd>{count(usage.requestsThisMinute)}</dd>
        </div>
        <div>
          <dt>Keys active today</dt>
          <dd>{count(usage.activeKeys)}</dd>
        </div>
        <div>
          <dt>Requests in total</dt>
          <dd>{count(usage.totalRequests)}</dd>
        </div>
        <div>
          <dt>Average response time</dt>
          <dd>{usage.averageResponseTimeMs.toLocaleString('en-GB', { maximumFractionDigits: 1 })} ms</dd>
        </div>
      </dl>
      <DailyUsageChart dailyUsage={usage.dailyUsage} label="Requests of all keys per day" />
      <p class="muted">
        {usage.lastRequestAtMs === null ? (
          'No key has made a request yet.'
        ) : (
          <>
            Last request: <Moment timeMs={usage.lastRequestAtMs} />.
          </>
        )}
      </p>
    </section>
  );
}
