import type { ComponentChildren } from 'preact';
import type { List } from './list.js';
import { PageLinks, type PageLinksProps } from './paging.js';

/** The content of a cell: `head` names the row, `action` holds its buttons. */
type CellKind = 'head' | 'text' | 'number' | 'time' | 'action';

export interface Column<Row> {
  readonly title: string;
  readonly kind?: CellKind;
  /**
   * The value of `sort` in the list's address that sorts the list by this column; undefined if the list cannot be
   * sorted by it.
   */
  readonly sort?: string;
  readonly class?: string;
  /** Whether screens wider than a phone but narrower than usual hide the column. A phone shows it in its cards. */
  readonly isLesser?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** How a list is sorted, and the links to its other orders. */
export type Sorting = Pick<List, 'sort' | 'sortedPath'>;

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown in place of a table without rows. */
  readonly empty?: ComponentChildren;
  readonly sorting?: Sorting | undefined;
  /** The links to the other pages of the list. */
  readonly pages?: PageLinksProps | undefined;
  readonly class?: string;
  /** Returns the number that connects a row with its point on a map: both have it as `data-row`. */
  readonly numberOf?: (row: Row) => number;
}

const classesOf = (...names: readonly (string | false | undefined)[]) =>
  names.filter(Boolean).join(' ') || undefined;

const isLargestFirst = (kind: CellKind | undefined) => kind === 'number' || kind === 'time';

interface HeadProps {
  readonly column: Pick<Column<never>, 'title' | 'kind' | 'sort' | 'isLesser'>;
  readonly sorting: Sorting | undefined;
}

/**
 * The head of a column. If the list can be sorted by the column, the head links to that order or, if the list has it
 * already, to the reverse one.
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
  const name = classesOf(kind !== 'head' && kind !== 'text' && kind, column.class, isLesser && 'lesser');
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

/** The order of a list, and the links to its pages, for its table. */
export const tableProps = (list: List, total: number) => ({
  sorting: list,
  pages: { paging: list.paging, total, pathOf: list.pagePath },
});

/** A list as a table, on a phone as cards. The roles are explicit, because CSS changes the table's layout. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, empty, numberOf, sorting, pages, class: name = '' } = props;
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <>
      <div class={`table as-cards ${name}`.trimEnd()} tabindex={0} role="region" aria-label={label}>
        <table role="table" aria-label={label}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <Head column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr role="row" data-row={numberOf?.(row)}>
                {columns.map((column) => (
                  <Cell column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages && <PageLinks {...pages} />}
    </>
  );
}
