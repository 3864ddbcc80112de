import type { ComponentChildren } from 'preact';
import type { List } from './list.js';

/** The content of a cell: `head` names the row, `action` holds its buttons. */
type CellKind = 'head' | 'text' | 'number' | 'time' | 'action';

export interface Column<Row> {
  readonly title: string;
  readonly kind?: CellKind;
  /** The name of the column in the address, if the list can be sorted by it. */
  readonly sort?: string;
  /** A CSS class for the column's cells. */
  readonly class?: string;
  /** Whether the column is hidden on narrow screens, because the row's own page shows it too. */
  readonly isLesser?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** How a list is sorted, and the links to its other orders. */
export type Sorting = Pick<List, 'sort' | 'sortedPath'>;

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  /** The fragment of the address of a row, such as "key-7". */
  readonly anchorOf?: (row: Row) => string;
  readonly sorting?: Sorting | undefined;
  readonly class?: string;
  /** The number that connects a row with its point on a map. */
  readonly numberOf?: (row: Row) => number;
}

const CLASSES: Readonly<Record<CellKind, string>> = {
  head: '',
  text: '',
  number: 'number',
  time: 'time',
  action: 'action',
};

const classesOf = (...names: readonly (string | false | undefined)[]) =>
  names.filter(Boolean).join(' ') || undefined;

const isLargestFirst = (kind: CellKind | undefined) => kind === 'number' || kind === 'time';

interface HeadProps {
  readonly column: Pick<Column<never>, 'title' | 'kind' | 'sort' | 'isLesser'>;
  readonly sorting: Sorting | undefined;
}

/**
 * The head of a column. If the list can be sorted by the column, the head is a link that sorts the list or reverses its
 * order.
 */
function Head({ column: { title, kind, sort: by, isLesser }, sorting }: HeadProps) {
  const attributes = {
    scope: 'col',
    role: 'columnheader',
    class: classesOf(kind === 'number' && 'number', isLesser && 'lesser'),
  } as const;
  if (kind === 'action') {
    return (
      <th {...attributes}>
        <span class="visually-hidden">{title}</span>
      </th>
    );
  }
  if (sorting === undefined || by === undefined) return <th {...attributes}>{title}</th>;
  const { sort: current, sortedPath } = sorting;
  const isCurrent = current.by === by;
  const isDescending = isCurrent ? !current.isDescending : isLargestFirst(kind);
  const order = current.isDescending ? 'descending' : 'ascending';
  return (
    <th {...attributes} {...(isCurrent ? { 'aria-sort': order } : {})}>
      <a href={sortedPath({ by, isDescending })} data-sort>
        {title}
      </a>
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { title, kind = 'text', isLesser, cell } = column;
  const name = classesOf(CLASSES[kind], column.class, isLesser && 'lesser');
  if (kind === 'head') {
    return (
      <th scope="row" role="rowheader" class={name}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" class={name} {...(kind === 'action' ? {} : { 'data-title': title })}>
      {cell(row)}
    </td>
  );
}

/**
 * A list as a table. On a phone, each row is shown as a card. ARIA roles are explicit, because screen readers no longer
 * recognise a table whose layout was changed by CSS.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, anchorOf, numberOf, sorting, class: name = '' } = props;
  return (
    <div class={`table as-cards ${name}`.trimEnd()} tabindex={0} role="region" aria-label={label}>
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={idOf(row)} role="row" id={anchorOf?.(row)} data-row={numberOf?.(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
