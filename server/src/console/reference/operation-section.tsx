import type { Operation } from '@signpost/contract';
import { renderToString } from 'preact-render-to-string';
import { Answer, Errors } from './answer.js';
import { onceFor } from '../../platform/once-for.js';
import { CodeTabs, PROGRAMS } from '../code/code-tabs.js';
import type { CallKey } from '../code/request-code.js';
import { shownRequest } from '../request/shown-request.js';
import { type RequestExample, requestExample } from './request-example.js';
import { fieldRows } from './field-rows.js';
import { FieldsTable } from './fields-table.js';
import { describe } from '../request/json-schema.js';
import { MethodBadge } from './contents.js';
import { TryIt } from './try-it.js';

interface OperationSectionProps {
  readonly id: string;
  readonly operation: Operation;
  readonly publicUrl: string;
  /** The first characters of the key that its code is for. */
  readonly chosenKey?: (CallKey & { readonly isWhole: false }) | undefined;
}

/** The shortest request that works, with a variable for each secret. */
function exampleRequest({ request }: Operation, { shortest, secrets }: RequestExample) {
  const { properties = {} } = request === undefined ? {} : describe(request, 'input').root;
  return shownRequest({ ...shortest, ...Object.fromEntries(secrets.map((name) => [name, ''])) }, properties);
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

/** All about one operation, from nothing but the contract. */
function OperationDetails({ id, operation, publicUrl, chosenKey }: OperationSectionProps) {
  const { method, path, title, description, request } = operation;
  const example =
    request === undefined ? undefined : requestExample(describe(request, 'input').root, publicUrl);
  return (
    <>
      <h3 id={`${id}-title`}>
        <a href={`#${id}`}>{title}</a>
      </h3>
      <p class="endpoint">
        <MethodBadge method={method} /> <code>{path}</code>
      </p>
      <p>{description}</p>
      <CodeTabs
        id={id}
        call={{
          id,
          operation,
          request: example === undefined ? undefined : exampleRequest(operation, example),
          publicUrl,
          key: operation.authentication === 'apiKey' ? chosenKey : undefined,
        }}
        languages={PROGRAMS}
      />
      {operation.interface === 'A' ? (
        <p>
          <a href={`/playground?operation=${id}`}>
            Open in the playground<span class="visually-hidden">: {title}</span>
          </a>
        </p>
      ) : null}
      <TryIt id={id} operation={operation} example={example} />
      <Request operation={operation} />
      <Answer operation={operation} />
      <Errors operation={operation} />
    </>
  );
}

/** Rendering an operation takes milliseconds, and all that differs between readers is the first characters of a key. */
const renderedDetails = onceFor<Operation, Map<string, string>>(() => new Map());
/** Stands for the key's first characters; needs no escaping in HTML or in any of the languages, as they do. */
const ANY_KEY = { text: 'sp_live_ANYKEY', isWhole: false } satisfies CallKey;

function detailsHtml({ chosenKey, ...props }: OperationSectionProps): string {
  const rendered = renderedDetails(props.operation);
  const name = `${props.publicUrl} ${chosenKey === undefined ? '' : 'with a key'}`;
  const html =
    rendered.get(name) ?? renderToString(<OperationDetails {...props} chosenKey={chosenKey && ANY_KEY} />);
  rendered.set(name, html);
  return chosenKey === undefined ? html : html.replaceAll(ANY_KEY.text, chosenKey.text);
}

/** All about one operation, rendered once for everybody. */
export const OperationSection = (props: OperationSectionProps) => (
  <section
    id={props.id}
    class="card operation"
    data-operation=""
    aria-labelledby={`${props.id}-title`}
    dangerouslySetInnerHTML={{ __html: detailsHtml(props) }}
  />
);
