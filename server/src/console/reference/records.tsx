import type { Operation } from '@signpost/contract';
import { fieldRows } from './field-rows.js';
import { FieldsTable } from './fields-table.js';
import { describe, type JsonSchema } from './json-schema.js';
import { recordId } from './record-id.js';

/** The records that several answers are made of, each once. */
export function recordsOf(operations: readonly Operation[]): ReadonlyMap<string, JsonSchema> {
  return new Map(
    operations.flatMap(({ response }) =>
      response.kind === 'json' ? [...describe(response.schema, 'output').records] : [],
    ),
  );
}

/** The fields of each record that answers refer to. */
export function Records({ records }: { readonly records: ReadonlyMap<string, JsonSchema> }) {
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
