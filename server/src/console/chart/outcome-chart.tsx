import { type Outcome, OUTCOMES } from '../../usage/recorded-request.js';
import { formatCount } from '../layout/formatting.js';
import { BarChart, type ChartSpan, type ChartPart, Legend, sumOf } from './bar-chart.js';

/** Each outcome in words, and its look in a chart. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, ChartPart>> = {
  '2xx': { label: 'Answered (2xx)', style: 'answered' },
  '4xx': { label: 'Wrong (4xx)', style: 'wrong' },
  '5xx': { label: 'Failed (5xx)', style: 'failed' },
  refused: { label: 'Refused (not counted)', style: 'refused' },
};

const PARTS = OUTCOMES.map((outcome) => OUTCOME_WORDS[outcome]);

/** The counts of a span that are not zero, in words. */
const inWords = (counts: readonly number[]) =>
  PARTS.flatMap(({ label }, index) => {
    const count = counts[index] ?? 0;
    return count === 0 ? [] : `${formatCount(count)} ${label}`;
  }).join(', ');

interface OutcomeChartProps {
  /** Oldest first. */
  readonly spans: readonly (Omit<ChartSpan, 'counts'> & {
    readonly requests: Readonly<Record<Outcome, number>>;
  })[];
  readonly label: string;
  /** The length of one span, such as "Hour". */
  readonly unit: string;
}

/** A chart of how requests ended in each span of time. */
export function OutcomeChart({ spans, label, unit }: OutcomeChartProps) {
  const counted = spans.map(({ requests, ...span }) => ({
    ...span,
    counts: OUTCOMES.map((outcome) => requests[outcome]),
  }));
  const total = sumOf(counted.flatMap(({ counts }) => counts));
  return (
    <BarChart
      spans={counted}
      parts={PARTS}
      label={label}
      unit={unit}
      aside={<Legend parts={PARTS} />}
      summary={`${formatCount(total)} in ${spans.length} spans; the table below has them`}
      inWords={inWords}
    />
  );
}
