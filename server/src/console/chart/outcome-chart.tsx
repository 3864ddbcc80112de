import { scaleBand } from 'd3-scale';
import { type Outcome, OUTCOMES } from '../../usage/recorded-request.js';
import { formatCount } from '../layout/formatting.js';
import { countTicks, tickLabel } from './daily-bars.js';

/** Each outcome in words, and its CSS class in a chart. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, { readonly label: string; readonly style: string }>> = {
  '2xx': { label: 'Answered (2xx)', style: 'answered' },
  '4xx': { label: 'Wrong (4xx)', style: 'wrong' },
  '5xx': { label: 'Failed (5xx)', style: 'failed' },
  refused: { label: 'Refused (429)', style: 'refused' },
};

/** The requests of one span of time. */
export interface ChartedSpan {
  /** The label of the span, such as "12:30" or "1 Mar". */
  readonly label: string;
  readonly requests: Readonly<Record<Outcome, number>>;
}

interface OutcomeChartProps {
  /** Oldest first. */
  readonly spans: readonly ChartedSpan[];
  readonly label: string;
  /** The length of one span, such as "hour". */
  readonly unit: string;
}

const GAP_SHARE_OF_SLOT = 0.25;
const MIN_HEIGHT_PERCENT = 1;

const totalOf = (requests: ChartedSpan['requests']) =>
  OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], 0);

/** The outcomes of a span that are not zero, in words. */
const wordsOf = ({ label, requests }: ChartedSpan) => {
  const parts = OUTCOMES.filter((outcome) => requests[outcome] > 0).map(
    (outcome) => `${formatCount(requests[outcome])} ${OUTCOME_WORDS[outcome].label}`,
  );
  return `${label}: ${parts.length === 0 ? 'no requests' : parts.join(', ')}`;
};

const percent = (value: number) => `${Number(value.toFixed(3))}%`;

interface ColumnProps {
  readonly span: ChartedSpan;
  readonly x: number;
  readonly width: number;
  /** The largest value on the axis. */
  readonly top: number;
}

/** A span's column, with the outcomes stacked. */
function Column({ span, x, width, top }: ColumnProps) {
  let y = 100;
  const parts = OUTCOMES.filter((outcome) => span.requests[outcome] > 0).map((outcome) => {
    const height = Math.max(MIN_HEIGHT_PERCENT, (span.requests[outcome] / top) * 100);
    y -= height;
    return { outcome, y, height };
  });
  return (
    <g class="chart-day">
      <title>{wordsOf(span)}</title>
      <rect class="chart-slot" x={percent(x)} y="0" width={percent(width)} height="100%" />
      {parts.length === 0 ? (
        <line class="chart-none" x1={percent(x)} x2={percent(x + width)} y1="100%" y2="100%" />
      ) : null}
      {parts.map(({ outcome, y: from, height }) => (
        <rect
          key={outcome}
          class={`outcome-${OUTCOME_WORDS[outcome].style}`}
          x={percent(x)}
          y={percent(from)}
          width={percent(width)}
          height={percent(height)}
        />
      ))}
    </g>
  );
}

/** The same figures as a table, latest span first, for people who cannot see the chart. */
function SpanTable({ spans, label, unit }: OutcomeChartProps) {
  return (
    <details>
      <summary>As a table</summary>
      <div class="table chart-table" tabindex={0} role="region" aria-label={`${label}, as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{unit} (UTC)</th>
              {OUTCOMES.map((outcome) => (
                <th key={outcome} scope="col" class="number">
                  {OUTCOME_WORDS[outcome].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spans.toReversed().map((span, index) => (
              <tr key={index}>
                <td class="nowrap">{span.label}</td>
                {OUTCOMES.map((outcome) => (
                  <td key={outcome} class="number">
                    {formatCount(span.requests[outcome])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Explains the colours of the chart. */
function Legend() {
  return (
    <ul class="chart-legend">
      {OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <svg width="12" height="12" aria-hidden="true">
            <rect class={`outcome-${OUTCOME_WORDS[outcome].style}`} width="12" height="12" />
          </svg>
          {OUTCOME_WORDS[outcome].label}
        </li>
      ))}
    </ul>
  );
}

/** A chart of how requests ended in each span of time, with the same figures as a table below it. */
export function OutcomeChart({ spans, label, unit }: OutcomeChartProps) {
  const totals = spans.map(({ requests }) => totalOf(requests));
  const ticks = countTicks(Math.max(0, ...totals));
  const top = ticks.at(-1) ?? 1;
  const place = scaleBand(spans.keys(), [0, 100]).paddingInner(GAP_SHARE_OF_SLOT);
  const asked = totals.reduce((sum, count) => sum + count, 0);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{label}</strong>
        <Legend />
      </figcaption>
      <div class="chart-plot">
        <ol class="chart-ticks" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <li key={tick}>{tickLabel(tick)}</li>
          ))}
        </ol>
        <svg
          role="img"
          aria-label={`${label}, a bar chart: ${formatCount(asked)} in ${spans.length} spans; the table below has them`}
        >
          {ticks.map((tick) => {
            const y = percent(100 - (tick / top) * 100);
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
          {spans.map((span, index) => (
            <Column key={index} span={span} x={place(index) ?? 0} width={place.bandwidth()} top={top} />
          ))}
        </svg>
        <p class="chart-dates" aria-hidden="true">
          <span>{spans[0]?.label}</span>
          <span>{spans.at(-1)?.label}</span>
        </p>
      </div>
      <SpanTable spans={spans} label={label} unit={unit} />
    </figure>
  );
}
