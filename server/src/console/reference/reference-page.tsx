import { ERRORS, type Operation, operations } from '@signpost/contract';
import { renderToString } from 'preact-render-to-string';
import { listKeys } from '../../keys/find-keys.js';
import type { Limits } from '../../usage/rate-limit.js';
import { CodeBlock } from '../layout/copyable.js';
import type { Key } from '../../keys/key.js';
import { onceFor } from '../../platform/once-for.js';
import { formFields } from '../layout/form-data.js';
import { Authorisation } from './authorisation.js';
import { Contents, groupsOf } from './contents.js';
import { fieldRows } from './field-rows.js';
import { FieldsTable, recordId } from './fields-table.js';
import { describe, type JsonSchema } from '../request/json-schema.js';
import { OperationSection } from './operation-section.js';
import { findOperations, NO_QUERY, type ReferenceQuery, ReferenceSearch } from './search.js';
import { publicPage } from '../routing/page.js';

/** The records that several answers are made of, each once. */
const recordsOf = onceFor(
  (table: Readonly<Record<string, Operation>>): ReadonlyMap<string, JsonSchema> =>
    new Map(
      Object.values(table).flatMap(({ response }) =>
        response.kind === 'json' ? [...describe(response.schema, 'output').records] : [],
      ),
    ),
);

/** The fields of each record that answers refer to. */
function Records({ records }: { readonly records: ReadonlyMap<string, JsonSchema> }) {
  return (
    <section id="records" class="group" aria-labelledby="records-title">
      <h2 id="records-title">Records</h2>
      <p>What the answers above are made of.</p>
      {[...records].map(([name, schema]) => (
        <section
          key={name}
          id={recordId(name)}
          class="card operation"
          aria-labelledby={`${recordId(name)}-title`}
        >
          <h3 id={`${recordId(name)}-title`}>{name}</h3>
          {schema.description === undefined ? null : <p>{schema.description}</p>}
          <FieldsTable label={`Fields of ${name}`} rows={fieldRows(schema)} of="answer" />
        </section>
      ))}
    </section>
  );
}

const EXAMPLE = { error: '"postcode" is missing: it must be a string.' };

/** What every refusal looks like, and each status with its meaning. */
function CommonErrors() {
  return (
    <section id="errors" class="group" aria-labelledby="errors-title">
      <h2 id="errors-title">Errors</h2>
      <div class="card operation">
        <p>
          Both interfaces answer a refusal or a failure with its status and one sentence that says what was
          wrong and what to change:
        </p>
        <CodeBlock id="error-example" label="Body of an error" code={JSON.stringify(EXAMPLE, null, 2)} />
        <dl class="meanings">
          {Object.entries(ERRORS).map(([name, { status, description, cure }]) => (
            <div key={name}>
              <dt>
                <span class="status danger">{status}</span>
              </dt>
              <dd>
                {description} <span class="cure">{cure}</span>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

/** What follows the operations: the same for everybody, and slow to render. */
const endOf = onceFor((table: Readonly<Record<string, Operation>>) => {
  const records = recordsOf(table);
  return renderToString(
    <>
      <CommonErrors />
      {records.size === 0 ? null : <Records records={records} />}
    </>,
  );
});

interface ReferenceProps {
  readonly operations: Readonly<Record<string, Operation>>;
  /** The URL of the server, without a slash at the end. */
  readonly publicUrl: string;
  /** The limits of a new API key. */
  readonly limits: Limits;
  /** The keys of the person who looks; empty for a stranger. */
  readonly keys?: readonly Key[];
  readonly query?: ReferenceQuery;
}

/** The reference of every operation of the table. */
export function Reference({ operations, publicUrl, limits, keys = [], query = NO_QUERY }: ReferenceProps) {
  const found = findOperations(operations, query.words);
  const groups = groupsOf(found);
  const records = recordsOf(operations);
  const key = keys.find(({ id }) => String(id) === query.keyId);
  const chosenKey = key === undefined ? undefined : ({ text: key.prefix, isWhole: false } as const);
  return (
    <div class="reference">
      <header class="reference-head">
        <h1>API reference</h1>
        <p>
          Two interfaces at <code>{publicUrl}</code>: A captures web pages, looks up UK postcodes and reports
          usage; B hands out access tokens. Requests and answers are JSON unless an operation says otherwise.
        </p>
        <p>
          For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). In a checkout,{' '}
          <code>docs/reference/api.md</code> says the same as text, and <code>docs/README.md</code> how to run
          the server.
        </p>
      </header>
      <Contents groups={groups} hasRecords={records.size > 0} />
      <div class="reference-body">
        <ReferenceSearch
          query={query}
          keys={keys}
          found={Object.keys(found).length}
          total={Object.keys(operations).length}
        />
        <Authorisation limits={limits} />
        {groups.map(({ side, tag, operations: members }) => (
          <section key={`${side} ${tag}`} class="group" aria-labelledby={`group-${side}-${tag}`}>
            <h2 id={`group-${side}-${tag}`}>
              {tag} <span class="side">Interface {side}</span>
            </h2>
            {members.map(([id, operation]) => (
              <OperationSection
                key={id}
                id={id}
                operation={operation}
                publicUrl={publicUrl}
                chosenKey={chosenKey}
              />
            ))}
          </section>
        ))}
        <div class="reference-end" dangerouslySetInnerHTML={{ __html: endOf(operations) }} />
      </div>
    </div>
  );
}

/** GET /reference: both interfaces, for everybody. If scripts run, each operation can be tried at once. */
export const referencePage = publicPage('/reference', {
  menuLabel: 'Reference',
  get: async (context) => {
    const { user, deps, domain, request } = context;
    const { q, key } = formFields(request.query, ['q', 'key']);
    const keys = user === undefined ? [] : await listKeys(domain, user.account.id, 'live');
    return context.renderOnce({ title: 'API reference' }, () => (
      <Reference
        operations={operations}
        publicUrl={deps.publicUrl()}
        limits={deps.defaultLimits}
        keys={keys}
        query={{ words: q, keyId: key }}
      />
    ));
  },
});
