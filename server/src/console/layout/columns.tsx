import type { Column } from './data-table.js';
import { Day, formatCount, Moment } from './formatting.js';

interface SortedColumn<Row, Value> {
  readonly title: string;
  /** The value of `sort` in the list's address that sorts the list by this column. */
  readonly sort: string;
  readonly of: (row: Row) => Value;
}

export const countColumn = <Row,>({ title, sort, of }: SortedColumn<Row, number>): Column<Row> => ({
  title,
  sort,
  kind: 'number',
  cell: (row) => formatCount(of(row)),
});

/** A column of times; null is shown as "never". */
export const timeColumn = <Row,>({ title, sort, of }: SortedColumn<Row, number | null>): Column<Row> => ({
  title,
  sort,
  kind: 'time',
  cell: (row) => {
    const timeMs = of(row);
    return timeMs === null ? <span class="muted">never</span> : <Moment timeMs={timeMs} />;
  },
});

/** A column of days. Screens wider than a phone but narrower than usual hide it; a phone shows it in its cards. */
export const dayColumn = <Row,>({ title, sort, of }: SortedColumn<Row, number>): Column<Row> => ({
  title,
  sort,
  kind: 'time',
  isLesser: true,
  cell: (row) => <Day timeMs={of(row)} />,
});

interface WithKeys {
  readonly liveKeyCount: number;
  readonly requestsToday: number;
}

export const KEY_COLUMNS: readonly Column<WithKeys>[] = [
  countColumn({ title: 'Live keys', sort: 'keys', of: ({ liveKeyCount }) => liveKeyCount }),
  countColumn({ title: 'Requests today', sort: 'today', of: ({ requestsToday }) => requestsToday }),
];
