import type { Operation } from '@signpost/contract';
import type { Limits } from '../../usage/admission.js';
import { Authorisation } from './authorisation.js';
import { CommonErrors } from './common-errors.js';
import { Contents } from './contents.js';
import { groupsOf } from './groups.js';
import { OperationSection } from './operation-section.js';
import { Records, recordsOf } from './records.js';

interface ReferenceProps {
  readonly operations: Readonly<Record<string, Operation>>;
  /** Where the server is reached, without a slash at the end. */
  readonly publicUrl: string;
  /** What a new API key may do. */
  readonly limits: Limits;
}

/** The reference of every operation of the table. */
export function Reference({ operations, publicUrl, limits }: ReferenceProps) {
  const groups = groupsOf(operations);
  const records = recordsOf(Object.values(operations));
  return (
    <div class="reference">
      <header class="reference-head">
        <h1>API reference</h1>
        <p>
          Two interfaces at <code>{publicUrl}</code>: A captures web pages, looks UK postcodes up and reports
          usage; B hands out access tokens. Requests and answers are JSON unless an operation says otherwise.
        </p>
        <p>
          For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). In the project's own folder,{' '}
          <code>docs/reference.md</code> says the same in writing and <code>docs/operating.md</code> how to
          run the server.
        </p>
      </header>
      <Contents groups={groups} hasRecords={records.size > 0} />
      <div class="reference-body">
        <Authorisation limits={limits} />
        {groups.map(({ side, tag, operations: members }) => (
          <section key={`${side} ${tag}`} class="group" aria-labelledby={`group-${side}-${tag}`}>
            <h2 id={`group-${side}-${tag}`}>
              {tag} <span class="side">Interface {side}</span>
            </h2>
            {members.map(([id, operation]) => (
              <OperationSection key={id} id={id} operation={operation} publicUrl={publicUrl} />
            ))}
          </section>
        ))}
        <CommonErrors />
        {records.size === 0 ? null : <Records records={records} />}
      </div>
    </div>
  );
}
