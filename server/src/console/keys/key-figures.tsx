import type { Usage } from '../../usage/read-key-usage.js';
import { leftWords } from './limit-words.js';

interface KeyFiguresProps {
  readonly usage: Usage;
  /** Requests left today, null where there is no limit; undefined for a key that is revoked. */
  readonly leftToday: number | null | undefined;
}

const count = (value: number) => value.toLocaleString('en-GB');

const responseTime = (meanMs: number) =>
  meanMs === 0 ? 'none yet' : `${meanMs.toLocaleString('en-GB', { maximumSignificantDigits: 3 })} ms`;

/** The usage of a key in figures. */
export function KeyFigures({ usage, leftToday }: KeyFiguresProps) {
  const figures = [
    { label: 'Requests today (UTC)', value: count(usage.requestsToday) },
    ...(leftToday === undefined ? [] : [{ label: 'Left today', value: leftWords(leftToday) }]),
    { label: 'This minute', value: count(usage.requestsThisMinute) },
    { label: 'All time', value: count(usage.totalRequests) },
    { label: 'Mean response time', value: responseTime(usage.averageResponseTimeMs) },
  ];
  return (
    <dl class="figures">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
