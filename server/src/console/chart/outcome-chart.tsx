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
  /** When it began. */
  readonly timeMs: number;
  /** The address of its requests; missing if the viewer has no log of them. */
  readonly href?: string | undefined;
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

/** The fill of each outcome, recognisable without colour: plain, striped, crossed or outlined. */
const fillOf = (outcome: Outcome): string =>
  outcome === '4xx' || outcome === '5xx' ? `url(#fill-${OUTCOME_WORDS[outcome].style})` : '';

const Fills = () => (
  <defs>
    {(['4xx', '5xx'] as const).map((outcome) => (
      <pattern
        key={outcome}
        id={`fill-${OUTCOME_WORDS[outcome].style}`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
      >
        <rect class={`outcome-${OUTCOME_WORDS[outcome].style}`} width="6" height="6" />
        <path class="fill-ink" d={outcome === '4xx' ? 'M0 6L6 0' : 'M0 0L6 6M0 6L6 0'} />
      </pattern>
    ))}
  </defs>
);

/** A part of a column, or the same fill as a sample in the legend. */
const Part = ({ outcome, ...place }: { readonly outcome: Outcome } & Readonly<Record<string, string>>) => (
  <>
    <rect class={`outcome-${OUTCOME_WORDS[outcome].style}`} {...place} />
    {fillOf(outcome) === '' ? null : <rect class="chart-part" fill={fillOf(outcome)} {...place} />}
  </>
);

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
  const words = wordsOf(span);
  const column = (
    <g class="chart-day" data-words={words} data-time={span.timeMs}>
      <title>{words}</title>
      <rect class="chart-slot" x={percent(x)} y="0" width={percent(width)} height="100%" />
      {parts.length === 0 ? (
        <line class="chart-none" x1={percent(x)} x2={percent(x + width)} y1="100%" y2="100%" />
      ) : null}
      {parts.map(({ outcome, y: from, height }) => (
        <Part
          key={outcome}
          outcome={outcome}
          x={percent(x)}
          y={percent(from)}
          width={percent(width)}
          height={percent(height)}
        />
      ))}
    </g>
  );
  return span.href === undefined || parts.length === 0 ? (
    column
  ) : (
    <a href={span.href} aria-label={words}>
      {column}
    </a>
  );
}

const LABELS = 5;

/** The indexes of the columns that have a label: the first, the last, and some in between. */
const labelled = (count: number) => [
  ...new Set(Array.from({ length: LABELS }, (_, index) => Math.round((index * (count - 1)) / (LABELS - 1)))),
];

/** The times below the columns. */
function TimeAxis({
  spans,
  middleOf,
}: Pick<OutcomeChartProps, 'spans'> & { readonly middleOf: (index: number) => number }) {
  const last = spans.length - 1;
  return (
    <svg class="chart-axis" aria-hidden="true">
      {labelled(spans.length).map((index) => (
        <text
          key={index}
          x={percent(index === 0 ? 0 : index === last ? 100 : middleOf(index))}
          y="1em"
          text-anchor={index === 0 ? 'start' : index === last ? 'end' : 'middle'}
        >
          {index === 0 || index === last ? spans[index]?.label : spans[index]?.label.split(', ').at(-1)}
        </text>
      ))}
    </svg>
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
            <Part outcome={outcome} width="12" height="12" />
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
          role={spans.some(({ href }) => href !== undefined) ? 'group' : 'img'}
          aria-label={`${label}, a bar chart: ${formatCount(asked)} in ${spans.length} spans; the table below has them`}
        >
          <Fills />
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
        <TimeAxis spans={spans} middleOf={(index) => (place(index) ?? 0) + place.bandwidth() / 2} />
      </div>
      <p class="chart-value" data-chart-value="" hidden />
      <SpanTable spans={spans} label={label} unit={unit} />
    </figure>
  );
}
