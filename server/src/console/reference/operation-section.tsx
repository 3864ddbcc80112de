import type { Operation } from '@signpost/contract';
import { Answer, Errors } from './answer.js';
import { CodeBlock } from '../layout/copyable.js';
import { curlExample, requestExample } from './request-example.js';
import { fieldRows } from './field-rows.js';
import { FieldsTable } from './fields-table.js';
import { describe } from './json-schema.js';
import { MethodBadge } from './contents.js';
import { TryIt } from './try-it.js';

interface OperationSectionProps {
  readonly id: string;
  readonly operation: Operation;
  readonly publicUrl: string;
}

function Request({ operation: { request, title } }: { readonly operation: Operation }) {
  if (request === undefined) {
    return (
      <>
        <h4>Request</h4>
        <p>No body.</p>
      </>
    );
  }
  const { root } = describe(request, 'input');
  return (
    <>
      <h4>Request</h4>
      <p>
        <code>application/json</code>
        {root.additionalProperties === false ? ': an object with these fields; any other is refused.' : null}
      </p>
      <FieldsTable label={`Request of “${title}”`} rows={fieldRows(root)} of="request" />
    </>
  );
}

/** All about one operation, from the contract alone. */
export function OperationSection({ id, operation, publicUrl }: OperationSectionProps) {
  const { method, path, title, description, request } = operation;
  const example =
    request === undefined ? undefined : requestExample(describe(request, 'input').root, publicUrl);
  return (
    <section id={id} class="card operation" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <a href={`#${id}`}>{title}</a>
      </h3>
      <p class="endpoint">
        <MethodBadge method={method} /> <code>{path}</code>
      </p>
      <p>{description}</p>
      <TryIt id={id} operation={operation} example={example} />
      <Request operation={operation} />
      <Answer operation={operation} />
      <Errors operation={operation} />
      <h4>Example</h4>
      <CodeBlock
        id={`${id}-curl`}
        label={`Command of “${title}”`}
        code={curlExample(operation, example, publicUrl)}
      />
    </section>
  );
}
