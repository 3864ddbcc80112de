import { type Column, DataTable } from '../layout/data-table.js';
import { join } from '../layout/formatting.js';
import type { FieldRow } from './field-rows.js';

export const codeList = (values: readonly string[], between: string) =>
  join(
    values.map((value) => <code>{value}</code>),
    between,
  );

export const recordId = (name: string): string => `record-${name}`;

function Type({ type, record }: FieldRow) {
  if (record === undefined) return <>{type}</>;
  const [before = '', after = ''] = type.split(record, 2);
  return (
    <>
      {before}
      <a href={`#${recordId(record)}`}>{record}</a>
      {after}
    </>
  );
}

const hasLimits = ({ limits, pattern, values }: FieldRow) =>
  limits !== undefined || pattern !== undefined || values.length > 0;

/** If a field allows more values than this, the list of them is folded away. */
const MAX_SHOWN = 30;

function Values({ values }: Pick<FieldRow, 'values'>) {
  if (values.length === 0) return null;
  const list = codeList(values, ', ');
  if (values.length > MAX_SHOWN)
    return (
      <details class="values">
        <summary>one of {values.length}</summary>
        {list}
      </details>
    );
  return (
    <span class="values">
      {values.length === 1 ? 'always' : 'one of'} {list}
    </span>
  );
}

const Limits = ({ limits, pattern, values }: FieldRow) => (
  <>
    {limits}
    <Values values={values} />
    {pattern === undefined ? null : (
      <span class="values">
        matches <code>{pattern}</code>
      </span>
    )}
  </>
);

const COLUMNS: readonly Column<FieldRow>[] = [
  { title: 'Field', kind: 'head', cell: ({ path }) => <code>{path}</code> },
  {
    title: 'Type',
    class: 'type',
    cell: (row) => (
      <>
        <Type {...row} />
        {hasLimits(row) && (
          <span class="values">
            <Limits {...row} />
          </span>
        )}
      </>
    ),
  },
  { title: 'Description', class: 'description', cell: ({ description }) => description },
];

/** A table of the fields of a response or a record, with their types, limits and meanings. */
export const FieldsTable = (table: { readonly label: string; readonly rows: readonly FieldRow[] }) => (
  <DataTable {...table} columns={COLUMNS} class="fields" />
);
