import { type ApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import type { PostcodeDirectory } from '../../postcodes/directory.js';
import { ALL_LANGUAGES, CodeTabs } from '../code/code-tabs.js';
import { Form } from '../layout/form.js';
import { DirectoryNotice } from '../layout/notices.js';
import { type FormState, isSet } from '../request/form-state.js';
import { type FieldGroup, fieldGroups, requestFields, type RequestField } from '../request/request-fields.js';
import { LEFT_OUT, linkState, shownForm } from '../request/shown-request.js';
import { Answer, type Outcome } from './answer.js';
import { KeySelect } from './key-select.js';
import { PRESETS } from './presets.js';
import { RequestInput } from './request-input.js';

/** The form as it is filled, and what it brought. */
export interface PlaygroundState {
  readonly operationId: ApiKeyOperationId;
  readonly state: FormState;
  /** The identifier of the key that is chosen; empty if none is. */
  readonly keyId: string;
  /** The fields that an address says it does not hold. */
  readonly leftOut: readonly string[];
  readonly outcome?: Outcome | undefined;
}

interface PlaygroundProps extends PlaygroundState {
  /** Whose playground it is: a browser keeps the history of each apart. */
  readonly accountId: string;
  readonly keys: readonly Key[];
  readonly directory: PostcodeDirectory;
  readonly publicUrl: string;
}

const PATH = '/playground';

const basicQuery = (operation: string, key: string) => ({ operation, ...(key === '' ? {} : { key }) });

const all: readonly (readonly [string, Operation])[] = Object.entries(operations);
const OFFERED = all.filter(([, { interface: side }]) => side === 'A');
const TAGS = [...new Set(OFFERED.map(([, { tag }]) => tag))];

/** The operations to choose from, by what they are about. */
function OperationLinks({ chosen }: { readonly chosen: string }) {
  return (
    <nav class="operation-links" aria-label="Operations">
      {TAGS.map((tag) => (
        <div key={tag}>
          <p id={`about-${tag}`}>{tag}</p>
          <ul aria-labelledby={`about-${tag}`}>
            {OFFERED.filter(([, operation]) => operation.tag === tag).map(([id, { title }]) => (
              <li key={id}>
                <a href={`${PATH}?operation=${id}`} {...(id === chosen ? { 'aria-current': 'page' } : {})}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The problems with single fields that a rejection names. */
function problemsByField(problem: string | undefined): ReadonlyMap<string, string> {
  const parts = (problem ?? '').split('; ').map((part) => [/^"(\w+)/u.exec(part)?.[1] ?? '', part] as const);
  return new Map(parts);
}

interface GroupProps {
  readonly group: FieldGroup;
  readonly state: FormState;
  readonly problems: ReadonlyMap<string, string>;
}

function Group({ group: { title, fields }, state, problems }: GroupProps) {
  const inputs = fields.map((field) => (
    <RequestInput key={field.name} field={field} state={state} problem={problems.get(field.name)} />
  ));
  if (title === undefined) return <>{inputs}</>;
  const set = fields.filter((field) => isSet(field, state)).length;
  const isOpen = set > 0 || fields.some(({ name }) => problems.has(name));
  return (
    <details class="field-group" open={isOpen}>
      <summary>
        {title}
        {set === 0 ? null : <span class="badge good">{set} set</span>}
      </summary>
      {inputs}
    </details>
  );
}

/** The examples submit the form, so that nothing that was typed is lost, and nothing secret gets into an address. */
function Presets({ operationId }: Pick<PlaygroundProps, 'operationId'>) {
  const presets = PRESETS[operationId] ?? [];
  if (presets.length === 0) return null;
  const form = 'request-form';
  return (
    <p class="presets">
      {/* The Enter key presses the first button of a form: it must send the request. */}
      <button type="submit" form={form} hidden />
      <span id="presets">Try:</span>
      {presets.map(({ title }) => (
        <button
          key={title}
          type="submit"
          class="small"
          form={form}
          formaction={PATH}
          formtarget="_self"
          formnovalidate
          name="preset"
          value={title}
        >
          {title}
        </button>
      ))}
    </p>
  );
}

function LeftOut({
  fields,
  hasOutcome,
}: {
  readonly fields: readonly RequestField[];
  readonly hasOutcome: boolean;
}) {
  if (fields.length === 0 || hasOutcome) return null;
  const names = fields.map(({ label }) => label).join(', ');
  return (
    <p class="notice" data-left-out="">
      {`Secret and long values are not in the address. Enter these again if you need them: ${names}.`}
    </p>
  );
}

function RequestForm(props: PlaygroundProps & { readonly leftOutFields: readonly RequestField[] }) {
  const { operationId, state, keyId, keys, outcome, leftOutFields } = props;
  const operation: Operation = operations[operationId];
  const problems = problemsByField(outcome?.problem);
  const isFile = operation.response.kind === 'file';
  return (
    <section class="card request" aria-labelledby="request-title">
      <h2 id="request-title">{operation.title}</h2>
      <p class="muted">{operation.description}</p>
      <Presets operationId={operationId} />
      <LeftOut fields={leftOutFields} hasOutcome={outcome !== undefined} />
      <Form
        action={`${PATH}#result`}
        class="request-form"
        id="request-form"
        {...(isFile ? { target: '_blank' } : {})}
      >
        <input type="hidden" name="operation" value={operationId} />
        {fieldGroups(operation).map((group) => (
          <Group key={group.title ?? ''} group={group} state={state} problems={problems} />
        ))}
        <div class="request-end">
          <KeySelect id="request-key" keys={keys} chosen={keyId} />
          <button type="submit">Send the request</button>
        </div>
        <p class="hint" data-without-script="">
          It counts as one request of the key.
          {isFile ? ' The file opens in a new tab.' : ''}
        </p>
      </Form>
    </section>
  );
}

/** The form on the left, what it brings on the right; below each other on a phone. */
export function Playground(props: PlaygroundProps) {
  const { operationId, state, keyId, leftOut, outcome, directory, publicUrl, accountId } = props;
  const operation: Operation = operations[operationId];
  const fields = requestFields(operation);
  const { query, leftOut: leftOutFields } = linkState(fields, state, leftOut);
  const link = new URLSearchParams({ ...basicQuery(operationId, keyId), ...Object.fromEntries(query) });
  if (leftOutFields.length > 0) link.set(LEFT_OUT, leftOutFields.map(({ name }) => name).join(','));
  const request = operation.request === undefined ? undefined : shownForm(fields, state, leftOutFields);
  return (
    <>
      <h1>Playground</h1>
      <p>
        Every request uses one of your keys. It works as it does over the API, and counts in the same way.
      </p>
      <OperationLinks chosen={operationId} />
      <div class="playground" data-account={accountId}>
        <RequestForm {...props} leftOutFields={leftOutFields} />
        <div class="playground-side">
          <section class="card" id="result" aria-labelledby="result-title">
            <h2 id="result-title">Answer</h2>
            <div id="answer">
              {outcome === undefined ? (
                <p class="muted">Nothing was sent yet. Fill in the form, or choose one of the examples.</p>
              ) : (
                <Answer outcome={outcome} directory={directory} />
              )}
            </div>
          </section>
          <section class="card" id="request-code" aria-labelledby="code-title">
            <div class="page-head">
              <h2 id="code-title">The same in code</h2>
              <a id="request-link" href={`${PATH}?${link}`}>
                Link to this request
              </a>
            </div>
            <CodeTabs
              id="call"
              call={{ id: operationId, operation, request, publicUrl }}
              languages={ALL_LANGUAGES}
            />
          </section>
          <section class="card" id="history" aria-labelledby="history-title" hidden>
            <div class="page-head">
              <h2 id="history-title">Your last requests</h2>
              <button type="button" class="small" id="forget-history">
                Forget them
              </button>
            </div>
            <ol id="history-list" />
            <p class="hint">Kept only in this browser, without secrets.</p>
          </section>
          <DirectoryNotice info={directory.info} />
        </div>
      </div>
    </>
  );
}
