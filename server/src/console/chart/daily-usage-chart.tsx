import { BarChart, sumOf } from './bar-chart.js';
import { type DailyUsage, formatRequestCount, longDate, totalOf, usageSummary } from './usage-summary.js';

interface DailyUsageChartProps {
  /** Oldest first. */
  readonly dailyUsage: DailyUsage;
  readonly label: string;
}

/** A bar chart of the counted requests of each day, which do not include rejected ones. */
export const DailyUsageChart = ({ dailyUsage, label }: DailyUsageChartProps) => (
  <BarChart
    spans={dailyUsage.map(({ date, requestCount }) => ({
      label: longDate(date),
      counts: [requestCount],
      timeMs: Date.parse(date),
    }))}
    parts={[{ label: 'Requests', style: 'answered' }]}
    label={label}
    unit="Day"
    aside={
      <span>
        {formatRequestCount(totalOf(dailyUsage))} in {dailyUsage.length} days (UTC)
      </span>
    }
    summary={usageSummary(dailyUsage)}
    inWords={(counts) => formatRequestCount(sumOf(counts))}
  />
);
