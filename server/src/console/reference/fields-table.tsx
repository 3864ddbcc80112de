import { Fragment } from 'preact';
import type { FieldRow } from './field-rows.js';

interface CodeListProps {
  readonly values: readonly string[];
  readonly between: string;
}

/** A list of values, each as code. */
export function CodeList({ values, between }: CodeListProps) {
  return (
    <>
      {values.map((value, index) => (
        <Fragment key={value}>
          {index === 0 ? null : between}
          <code>{value}</code>
        </Fragment>
      ))}
    </>
  );
}

/** The id of a record's description on the page. */
export const recordId = (name: string): string => `record-${name}`;

interface FieldsTableProps {
  readonly label: string;
  readonly rows: readonly FieldRow[];
}

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

/** If a field has more values than this, the rest is folded away. */
const MAX_SHOWN = 30;

function Values({ values }: Pick<FieldRow, 'values'>) {
  if (values.length === 0) return null;
  const list = <CodeList values={values} between=", " />;
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

function Limits({ limits, pattern, values }: FieldRow) {
  return (
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
}

/** A table of the fields of a response with their types and meanings. On a narrow screen, each row is a block. */
export function FieldsTable({ label, rows }: FieldsTableProps) {
  return (
    <div class="table fields" tabindex={0} role="region" aria-label={label}>
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {['Field', 'Type', 'Description'].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.path} role="row">
              <th role="rowheader" scope="row">
                <code>{row.path}</code>
              </th>
              <td role="cell" class="type">
                <Type {...row} />
                {hasLimits(row) ? (
                  <span class="values">
                    <Limits {...row} />
                  </span>
                ) : null}
              </td>
              <td role="cell" class="description">
                {row.description}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
