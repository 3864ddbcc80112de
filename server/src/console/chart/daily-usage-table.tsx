import { longDate } from './calendar-date.js';
import type { DailyUsage } from './usage-words.js';

interface DailyUsageTableProps {
  readonly dailyUsage: DailyUsage;
  readonly label: string;
}

/** The figures behind a chart, the latest day first. */
export function DailyUsageTable({ dailyUsage, label }: DailyUsageTableProps) {
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
                <td class="number">{requestCount.toLocaleString('en-GB')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
