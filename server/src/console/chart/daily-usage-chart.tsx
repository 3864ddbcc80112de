import { countTicks, type DailyBar, dailyBars, tickLabel } from './daily-bars.js';
import {
  type DailyUsage,
  longDate,
  formatRequestCount,
  shortDate,
  totalOf,
  usageSummary,
} from './usage-summary.js';
import { formatCount } from '../layout/formatting.js';

interface DailyUsageTableProps {
  readonly dailyUsage: DailyUsage;
  readonly label: string;
}

/** A table of the figures in a chart, latest day first. */
function DailyUsageTable({ dailyUsage, label }: DailyUsageTableProps) {
  return (
    <details>
      <summary>As a table</summary>
      <div class="table chart-table" tabindex={0} role="region" aria-label={`${label}, as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Date (UTC)</th>
              <th scope="col" class="number">
                Requests
              </th>
            </tr>
          </thead>
          <tbody>
            {dailyUsage.toReversed().map(({ date, requestCount }) => (
              <tr key={date}>
                <td>
                  <time datetime={date}>{longDate(date)}</time>
                </td>
                <td class="number">{formatCount(requestCount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface DailyUsageChartProps {
  /** Oldest first. */
  readonly dailyUsage: DailyUsage;
  /** The noun for the counted requests, as used in a heading. */
  readonly label: string;
}

/** A day's column. All of it responds to the pointer. A day without requests has a mark on the baseline. */
function Bar({ bar }: { readonly bar: DailyBar }) {
  return (
    <g class="chart-day">
      <title>{`${longDate(bar.date)}: ${formatRequestCount(bar.requestCount)}`}</title>
      <rect class="chart-slot" x={`${bar.slotX}%`} y="0" width={`${bar.slotWidth}%`} height="100%" />
      {bar.requestCount === 0 ? (
        <line class="chart-none" x1={`${bar.x}%`} x2={`${bar.x + bar.width}%`} y1="100%" y2="100%" />
      ) : (
        <rect
          class="chart-bar"
          x={`${bar.x}%`}
          y={`${bar.y}%`}
          width={`${bar.width}%`}
          height={`${bar.height}%`}
        />
      )}
    </g>
  );
}

/** A bar chart of the requests of each day, with the same figures as a table below it. */
export function DailyUsageChart({ dailyUsage, label }: DailyUsageChartProps) {
  const [first, last] = [dailyUsage[0], dailyUsage.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ticks = countTicks(Math.max(...dailyUsage.map(({ requestCount }) => requestCount)));
  const top = ticks.at(-1) ?? 1;
  return (
    <figure class="chart">
      <figcaption>
        <strong>{label}</strong>
        <span>
          {formatRequestCount(totalOf(dailyUsage))} in {dailyUsage.length} days (UTC)
        </span>
      </figcaption>
      <div class="chart-plot">
        <ol class="chart-ticks" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <li key={tick}>{tickLabel(tick)}</li>
          ))}
        </ol>
        <svg role="img" aria-label={`${label}, a bar chart: ${usageSummary(dailyUsage)}`}>
          {ticks.map((tick) => {
            const y = `${100 - (tick / top) * 100}%`;
            return (
              <line
                key={tick}
                class={tick === 0 ? 'chart-base' : 'chart-line'}
                x1="0"
                x2="100%"
                y1={y}
                y2={y}
              />
            );
          })}
          {dailyBars(dailyUsage, top).map((bar) => (
            <Bar key={bar.date} bar={bar} />
          ))}
        </svg>
        <p class="chart-dates" aria-hidden="true">
          <span>{shortDate(first.date)}</span>
          <span>{shortDate(last.date)}</span>
        </p>
      </div>
      <DailyUsageTable dailyUsage={dailyUsage} label={label} />
    </figure>
  );
}
