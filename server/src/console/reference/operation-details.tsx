import type { Operation } from '@signpost/contract';
import { renderToString } from 'preact-render-to-string';
import { memoizeByObject } from '../../platform/memoize-by-object.js';
import { describeSchema, type JsonSchema } from '../request/json-schema.js';
import { AnswerFields, Errors } from './answer-fields.js';
import { fieldRows } from './field-rows.js';
import { FieldsTable, recordId } from './fields-table.js';

export const Records = ({ records }: { readonly records: ReadonlyMap<string, JsonSchema> }) => (
  <>
    {[...records].map(([name, schema]) => (
      <section id={recordId(name)} class="card" aria-labelledby={`${recordId(name)}-title`}>
        <h3 id={`${recordId(name)}-title`}>{name}</h3>
        {schema.description === undefined ? null : <p>{schema.description}</p>}
        <FieldsTable label={`Fields of ${name}`} rows={fieldRows(schema)} />
      </section>
    ))}
  </>
);

/** Rendered once for each operation, because the HTML is the same for everybody and slow to render. */
const detailsHtml = memoizeByObject((operation: Operation) => {
  const { response } = operation;
  return renderToString(
    <>
      <AnswerFields operation={operation} />
      {response.kind === 'json' && <Records records={describeSchema(response.schema, 'output').records} />}
      <Errors operation={operation} />
    </>,
  );
});

/** The documented responses of an operation: the successful one, with the records in it, and the errors. */
export const OperationDetails = ({ operation }: { readonly operation: Operation }) => (
  <div class="operation-details" dangerouslySetInnerHTML={{ __html: detailsHtml(operation) }} />
);
