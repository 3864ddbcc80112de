import { RATE_LIMIT_HEADERS, type Operation } from '@signpost/contract';
import { CodeList } from './code-list.js';
import { fieldRows } from './field-rows.js';
import { FieldsTable } from './fields-table.js';
import { describe } from './json-schema.js';

/** The headers that an answer of this operation carries, with what each tells. */
export const headersOf = ({ responseHeaders, interface: side }: Operation): Operation['responseHeaders'] => ({
  ...responseHeaders,
  ...(side === 'A' ? RATE_LIMIT_HEADERS : {}),
});

function Body({ operation: { title, response } }: { readonly operation: Operation }) {
  if (response.kind === 'json') {
    const { root, records } = describe(response.schema, 'output');
    return (
      <>
        <p>
          <code>application/json</code>
          {root.description === undefined ? null : `: ${root.description}`}
        </p>
        <FieldsTable label={`Answer of “${title}”`} rows={fieldRows(root, records)} of="answer" />
      </>
    );
  }
  return (
    <p>
      <CodeList values={response.mediaTypes} between=" or " />
      {`: ${response.description}`}
    </p>
  );
}

/** What a call answers that succeeds: its body and its headers. */
export function Answer({ operation }: { readonly operation: Operation }) {
  const headers = Object.entries(headersOf(operation));
  return (
    <>
      <h4>
        Answer <span class="status good">200</span>
      </h4>
      <Body operation={operation} />
      {headers.length === 0 ? null : (
        <>
          <p class="label">Headers of the answer</p>
          <dl class="meanings headers">
            {headers.map(([name, { type, description }]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  {description} <span class="muted">({type})</span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}
