import { ERRORS, type Operation, operations } from '@signpost/contract';
import { renderToString } from 'preact-render-to-string';
import { memoizeByObject } from '../../platform/memoize-by-object.js';
import type { Limits } from '../../usage/rate-limit.js';
import { CodeBlock } from '../layout/copyable.js';
import { formFields } from '../layout/form-data.js';
import { join } from '../layout/formatting.js';
import { operationPath } from '../layout/operation-path.js';
import { type JsonSchema, describeSchema } from '../request/json-schema.js';
import { publicPage } from '../routing/page.js';
import { ErrorMeanings } from './answer-fields.js';
import { Authorisation } from './authorisation.js';
import { Records } from './operation-details.js';
import { groupsOf, MethodBadge } from './operation-links.js';
import { findFields, findOperations, ReferenceSearch } from './search.js';

/** The named records in the responses of all operations, each once. */
const recordsOf = memoizeByObject(
  (table: Readonly<Record<string, Operation>>): ReadonlyMap<string, JsonSchema> =>
    new Map(
      Object.values(table).flatMap(({ response }) =>
        response.kind === 'json' ? [...describeSchema(response.schema, 'output').records] : [],
      ),
    ),
);

const EXAMPLE = { error: '"postcode" is missing: it must be a string.' };

const CommonErrors = () => (
  <section id="errors" class="group" aria-labelledby="errors-title">
    <h2 id="errors-title">Errors</h2>
    <div class="card operation">
      <p>
        Both interfaces answer a rejection or a failure with its status and one sentence that says what was
        wrong and what to change:
      </p>
      <CodeBlock id="error-example" label="Body of an error" code={JSON.stringify(EXAMPLE, null, 2)} />
      <ErrorMeanings errors={Object.values(ERRORS)} />
      <p>
        <a href="/docs/reference/errors">Common messages and their cures</a>
      </p>
    </div>
  </section>
);

/** The end of the page: the errors and the records. Rendered once, because it is slow and the same for everybody. */
const endOf = memoizeByObject((table: Readonly<Record<string, Operation>>) => {
  const records = recordsOf(table);
  return renderToString(
    <>
      <CommonErrors />
      {records.size === 0 ? null : (
        <section id="records" class="group" aria-labelledby="records-title">
          <h2 id="records-title">Records</h2>
          <p>What answers are made of.</p>
          <Records records={records} />
        </section>
      )}
    </>,
  );
});

interface EntryProps {
  readonly id: string;
  readonly operation: Operation;
  readonly words: string;
}

/** One operation and, if the search has words, its fields that match them. */
function Entry({ id, operation, words }: EntryProps) {
  const { method, path, title, description } = operation;
  const fields = findFields(operation, words);
  return (
    <li id={id} class="card entry">
      <h3>
        <a href={operationPath(id)}>{title}</a>
      </h3>
      <p class="endpoint">
        <MethodBadge method={method} /> <code>{path}</code>
      </p>
      <p>{description.split(/(?<=\.)\s/u, 1)}</p>
      {fields.length === 0 ? null : (
        <p>
          {fields.length === 1 ? 'Field: ' : 'Fields: '}
          {join(
            fields.map(({ name }) => (
              <a href={`${operationPath(id)}#field-${name}`}>
                <code>{name}</code>
              </a>
            )),
            ', ',
          )}
        </p>
      )}
    </li>
  );
}

interface ReferenceProps {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly publicUrl: string;
  readonly limits: Limits;
  readonly words?: string;
}

/**
 * The operations that match the search words, or all operations if no words are given; then the authorisation, the
 * errors and the records.
 */
export function Reference({ operations, publicUrl, limits, words = '' }: ReferenceProps) {
  const found = findOperations(operations, words);
  return (
    <div class="reference">
      <h1>API reference</h1>
      <p>
        Two interfaces at <code>{publicUrl}</code>: A captures web pages, looks up UK postcodes and reports
        usage; B hands out access tokens. Requests and answers are JSON unless an operation says otherwise.
        For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). Examples and explanations:{' '}
        <a href="/docs">the documents</a>.
      </p>
      <ReferenceSearch
        words={words}
        found={Object.keys(found).length}
        total={Object.keys(operations).length}
      />
      <div id="found">
        {groupsOf(found).map(({ side, tag, operations: members }) => (
          <section class="group" aria-labelledby={`group-${side}-${tag}`}>
            <h2 id={`group-${side}-${tag}`}>
              {tag} <span class="side">Interface {side}</span>
            </h2>
            <ul class="entries">
              {members.map(([id, operation]) => (
                <Entry id={id} operation={operation} words={words} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Authorisation limits={limits} />
      <div dangerouslySetInnerHTML={{ __html: endOf(operations) }} />
    </div>
  );
}

/** GET /reference: the operations of both interfaces, for everybody. */
export const referencePage = publicPage('/reference', {
  menuLabel: 'Reference',
  get: (context) => {
    const { deps, request } = context;
    const { q } = formFields(request.query, ['q']);
    const head = { title: 'API reference', description: 'Every operation of this Signpost server.' };
    return context.renderOnce(head, () => (
      <Reference operations={operations} publicUrl={deps.publicUrl()} limits={deps.defaultLimits} words={q} />
    ));
  },
});
