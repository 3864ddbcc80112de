import { scaleBand, scaleLinear } from 'd3-scale';
import type { ComponentChild } from 'preact';
import { formatCount } from '../layout/formatting.js';
import { CsvLink } from './csv-link.js';

/** A kind of request that the chart counts separately. The counts of a span are stacked in its column. */
export interface ChartPart {
  readonly label: string;
  /** The CSS class of the part, without its beginning `outcome-`. */
  readonly style: 'answered' | 'wrong' | 'failed' | 'refused';
}

export interface ChartSpan {
  /** The label of the span, such as "12:30" or "1 Mar". */
  readonly label: string;
  readonly counts: readonly number[];
  readonly timeMs: number;
  /** The address of the list of the span's requests, if there is one. */
  readonly href?: string | undefined;
}

interface BarChartProps {
  /** Oldest first. */
  readonly spans: readonly ChartSpan[];
  readonly parts: readonly ChartPart[];
  readonly label: string;
  /** The length of one span, such as "Hour". */
  readonly unit: string;
  readonly aside: ComponentChild;
  readonly summary: string;
  /** Says the counts of a span in words. Not called for a span whose counts are all 0. */
  readonly inWords: (counts: readonly number[]) => string;
}

/** d3 rounds steps to 1, 2 or 5 times a power of ten, so asking for 3 intervals never yields more than four. */
const WANTED_INTERVALS = 3;
const GAP_SHARE_OF_SLOT = 0.25;
/**
 * The lowest height of a part with a request, in per cent of the chart, so that the part is visible beside much larger
 * ones.
 */
const MIN_HEIGHT_PERCENT = 1.5;
const LABELS = 5;

/** The ticks of an axis of counts: evenly spaced whole numbers from 0 to at least the largest count. */
export const countTicks = (largest: number): readonly number[] =>
  scaleLinear([0, Math.max(1, largest)], [0, 100])
    .nice(WANTED_INTERVALS)
    .ticks(WANTED_INTERVALS)
    .filter(Number.isInteger);

/** A tick's label: short, and still exact because ticks are round. */
export const tickLabel = (tick: number): string =>
  tick.toLocaleString('en-GB', tick >= 10_000 ? { notation: 'compact' } : {});

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const percent = (value: number) => `${Number(value.toFixed(3))}%`;

/** The beginning of a span in UTC, as in ISO 8601: its date if spans are days, otherwise its date and time. */
const startOf = ({ timeMs }: ChartSpan, unit: string) =>
  new Date(timeMs).toISOString().slice(0, unit === 'Day' ? 10 : undefined);

/**
 * The SVG paths that mark styles without colours: stripes for `wrong`, crossed lines for `failed`. `answered` is plain,
 * and `refused` has an outline.
 */
const PATTERNS = new Map([
  ['wrong', 'M0 6L6 0'],
  ['failed', 'M0 0L6 6M0 6L6 0'],
]);

const Patterns = () => (
  <defs>
    {Array.from(PATTERNS, ([style, path]) => (
      <pattern id={`fill-${style}`} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect class={`outcome-${style}`} width="6" height="6" />
        <path class="fill-ink" d={path} />
      </pattern>
    ))}
  </defs>
);

const Part = ({ style, ...geometry }: Pick<ChartPart, 'style'> & Readonly<Record<string, string>>) => (
  <>
    <rect class={`outcome-${style}`} {...geometry} />
    {PATTERNS.has(style) ? <rect class="chart-part" fill={`url(#fill-${style})`} {...geometry} /> : null}
  </>
);

export const Legend = ({ parts }: Pick<BarChartProps, 'parts'>) => (
  <ul class="chart-legend">
    {parts.map(({ label, style }) => (
      <li>
        <svg width="12" height="12" aria-hidden="true">
          <Part style={style} width="12" height="12" />
        </svg>
        {label}
      </li>
    ))}
  </ul>
);

interface ColumnProps extends Pick<BarChartProps, 'parts' | 'inWords'> {
  readonly span: ChartSpan;
  readonly x: number;
  readonly width: number;
  readonly top: number;
}

/**
 * A span's column, with its parts stacked; a link if the span has an address and any requests. Reacts to the pointer
 * over the whole height of the chart.
 */
function Column({ span: { label, counts, timeMs, href }, parts, inWords, x, width, top }: ColumnProps) {
  const isEmpty = sumOf(counts) === 0;
  const words = `${label}: ${isEmpty ? 'no requests' : inWords(counts)}`;
  const geometry = { x: percent(x), width: percent(width) };
  let y = 100;
  const column = (
    <g class="chart-day" data-words={words} data-time={timeMs}>
      <title>{words}</title>
      <rect class="chart-slot" y="0" height="100%" {...geometry} />
      {isEmpty ? (
        <line class="chart-none" x1={geometry.x} x2={percent(x + width)} y1="100%" y2="100%" />
      ) : null}
      {parts.map(({ style }, index) => {
        const count = counts[index] ?? 0;
        if (count === 0) return null;
        const height = Math.max(MIN_HEIGHT_PERCENT, (count / top) * 100);
        y -= height;
        return <Part style={style} y={percent(y)} height={percent(height)} {...geometry} />;
      })}
    </g>
  );
  return href === undefined || isEmpty ? (
    column
  ) : (
    <a href={href} aria-label={words}>
      {column}
    </a>
  );
}

/** The indexes of the spans with a label below their column: the first, the last, and some between. */
const labelledIndexes = (count: number) => [
  ...new Set(Array.from({ length: LABELS }, (_, index) => Math.round((index * (count - 1)) / (LABELS - 1)))),
];

function TimeAxis({
  spans,
  middleOf,
}: Pick<BarChartProps, 'spans'> & { readonly middleOf: (index: number) => number }) {
  const last = spans.length - 1;
  return (
    <svg class="chart-axis" aria-hidden="true">
      {labelledIndexes(spans.length).map((index) => (
        <text
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

/** The figures of the chart as a folded table, latest span first. */
const SpanTable = ({ spans, parts, label, unit }: BarChartProps) => (
  <details>
    <summary>As a table</summary>
    <div class="table chart-table" tabindex={0} role="region" aria-label={`${label}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{unit} (UTC)</th>
            {parts.map((part) => (
              <th scope="col" class="number">
                {part.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spans.toReversed().map((span) => (
            <tr>
              <td class="nowrap">
                <time datetime={startOf(span, unit)}>{span.label}</time>
              </td>
              {span.counts.map((count) => (
                <td class="number">{formatCount(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

/** A chart of the requests in each span of time, with the same figures as a table and as a CSV file. */
export function BarChart(props: BarChartProps) {
  const { spans, parts, label, unit, aside, summary, inWords } = props;
  const ticks = countTicks(Math.max(0, ...spans.map(({ counts }) => sumOf(counts))));
  const top = ticks.at(-1) ?? 1;
  const scale = scaleBand(spans.keys(), [0, 100]).paddingInner(GAP_SHARE_OF_SLOT);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{label}</strong>
        {aside}
      </figcaption>
      <div class="chart-plot">
        <ol class="chart-ticks" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <li>{tickLabel(tick)}</li>
          ))}
        </ol>
        <svg
          role={spans.some(({ href }) => href !== undefined) ? 'group' : 'img'}
          aria-label={`${label}, a bar chart: ${summary}`}
        >
          {parts.some(({ style }) => PATTERNS.has(style)) ? <Patterns /> : null}
          {ticks.map((tick) => {
            const y = percent(100 - (tick / top) * 100);
            const name = tick === 0 ? 'chart-base' : 'chart-line';
            return <line class={name} x1="0" x2="100%" y1={y} y2={y} />;
          })}
          {spans.map((span, index) => (
            <Column
              span={span}
              parts={parts}
              inWords={inWords}
              top={top}
              x={scale(index) ?? 0}
              width={scale.bandwidth()}
            />
          ))}
        </svg>
        <TimeAxis spans={spans} middleOf={(index) => (scale(index) ?? 0) + scale.bandwidth() / 2} />
      </div>
      <p class="chart-value" data-chart-value="" hidden />
      <CsvLink
        label={label}
        lines={[
          [unit === 'Day' ? 'date (UTC)' : 'time (UTC)', ...parts.map((part) => part.label)],
          ...spans.map((span) => [startOf(span, unit), ...span.counts]),
        ]}
      />
      <SpanTable {...props} />
    </figure>
  );
}
