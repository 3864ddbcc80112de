import { Fragment } from 'preact';
import type { FieldRow } from './field-rows.js';

interface CodeListProps {
  readonly values: readonly string[];
  readonly between: string;
}

/** Values one after the other, each as code. */
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
  /** A request says of each field whether it must be sent; an answer has all of them. */
  readonly of: 'request' | 'answer';
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

/** An empty cell, for those who look and for those who listen. */
function Nothing() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">none</span>
    </>
  );
}

/** More values than these are shown when they are asked for. */
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

/** Every field with its type, default, limits and meaning; on a narrow screen each row becomes a block. */
export function FieldsTable({ label, rows, of }: FieldsTableProps) {
  const withDefaults = of === 'request';
  const withLimits = of === 'request' && rows.some(hasLimits);
  return (
    <div class="table fields" tabindex={0} role="region" aria-label={label}>
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Field
            </th>
            <th role="columnheader" scope="col">
              Type
            </th>
            {withDefaults ? (
              <th role="columnheader" scope="col">
                Default
              </th>
            ) : null}
            {withLimits ? (
              <th role="columnheader" scope="col">
                Limits
              </th>
            ) : null}
            <th role="columnheader" scope="col">
              Description
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.path} role="row">
              <th role="rowheader" scope="row">
                <code>{row.path}</code>
                {of === 'request' ? (
                  <span class={row.isRequired ? 'need required' : 'need'}>
                    {row.isRequired ? 'required' : 'optional'}
                  </span>
                ) : null}
              </th>
              <td role="cell" class="type">
                <Type {...row} />
                {of === 'answer' && hasLimits(row) ? (
                  <span class="values">
                    <Limits {...row} />
                  </span>
                ) : null}
              </td>
              {withDefaults ? (
                <td role="cell" class={row.default === undefined ? 'none' : 'default'}>
                  {row.default === undefined ? <Nothing /> : <code>{row.default}</code>}
                </td>
              ) : null}
              {withLimits ? (
                <td role="cell" class={hasLimits(row) ? 'limits' : 'none'}>
                  {hasLimits(row) ? <Limits {...row} /> : <Nothing />}
                </td>
              ) : null}
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
