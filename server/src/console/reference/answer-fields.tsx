import { errorDescription, type Operation, RATE_LIMIT_HEADERS, ERRORS } from '@signpost/contract';
import { fieldRows } from './field-rows.js';
import { codeList, FieldsTable } from './fields-table.js';
import { describeSchema } from '../request/json-schema.js';

const headersOf = ({ responseHeaders, interface: side }: Operation): Operation['responseHeaders'] => ({
  ...responseHeaders,
  ...(side === 'A' ? RATE_LIMIT_HEADERS : {}),
});

function Body({ operation: { title, response } }: { readonly operation: Operation }) {
  if (response.kind === 'json') {
    const { root, records } = describeSchema(response.schema, 'output');
    return (
      <>
        <p>
          <code>application/json</code>
          {root.description === undefined ? null : `: ${root.description}`}
        </p>
        <FieldsTable label={`Answer of “${title}”`} rows={fieldRows(root, records)} />
      </>
    );
  }
  return (
    <p>
      {codeList(response.mediaTypes, ' or ')}
      {`: ${response.description}`}
    </p>
  );
}

export function AnswerFields({ operation }: { readonly operation: Operation }) {
  const headers = Object.entries(headersOf(operation));
  return (
    <>
      <h2>
        What it answers <span class="status good">200</span>
      </h2>
      <Body operation={operation} />
      {headers.length === 0 ? null : (
        <>
          <p class="label">Headers of the answer</p>
          <dl class="meanings headers">
            {headers.map(([name, { type, description }]) => (
              <div>
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

interface ErrorMeaning {
  readonly status: number;
  readonly description: string;
  readonly cure: string;
}

export const ErrorMeanings = ({ errors }: { readonly errors: readonly ErrorMeaning[] }) => (
  <dl class="meanings">
    {errors.map(({ status, description, cure }) => (
      <div>
        <dt>
          <span class="status danger">{status}</span>
        </dt>
        <dd>
          {description} <span class="cure">{cure}</span>
        </dd>
      </div>
    ))}
  </dl>
);

export function Errors({ operation }: { readonly operation: Operation }) {
  const inOrder = operation.errors
    .map((name) => ({ ...ERRORS[name], description: errorDescription(name, operation) }))
    .sort((one, other) => one.status - other.status);
  return (
    <>
      <h2>Errors</h2>
      <ErrorMeanings errors={inOrder} />
    </>
  );
}
