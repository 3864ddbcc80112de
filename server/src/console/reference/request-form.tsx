import { isApiKeyOperationId } from '@signpost/contract';
import { operationPath } from '../layout/operation-path.js';
import { Form } from '../layout/form.js';
import { type FormState, isSet } from '../request/form-state.js';
import { type FieldGroup, fieldGroups, type RequestField } from '../request/request-fields.js';
import type { OperationViewProps } from './operation-state.js';
import { PRESETS } from './presets.js';
import { RequestInput } from './request-input.js';

export const FORM_ID = 'request-form';

/**
 * Splits the message of a rejection at each "; ", and groups the parts by the field in quotes that each begins with
 * ("clip" for "clip.width"). Parts that begin with none are under an empty name.
 */
function problemsByField(problem: string | undefined): ReadonlyMap<string, string> {
  const byField = new Map<string, string>();
  for (const part of (problem ?? '').split('; ')) {
    const field = /^"(\w+)/u.exec(part)?.[1] ?? '';
    const earlier = byField.get(field);
    byField.set(field, earlier === undefined ? part : `${earlier}; ${part}`);
  }
  return byField;
}

interface GroupProps {
  readonly group: FieldGroup;
  readonly state: FormState;
  readonly problems: ReadonlyMap<string, string>;
}

function Group({ group: { title, fields }, state, problems }: GroupProps) {
  const inputs = fields.map((field) => (
    <RequestInput field={field} state={state} problem={problems.get(field.name)} />
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

/**
 * Buttons that each set some fields of the form to an example. They send the form by POST, which keeps its texts out of
 * the address.
 */
function Presets({ id }: Pick<OperationViewProps, 'id'>) {
  const presets = isApiKeyOperationId(id) ? (PRESETS[id] ?? []) : [];
  if (presets.length === 0) return null;
  return (
    <p class="presets">
      {/* The Enter key presses the first button of a form: it must send the request. */}
      <button type="submit" hidden />
      <span id="presets">Try:</span>
      {presets.map(({ title }) => (
        <button
          type="submit"
          class="small"
          formaction={operationPath(id)}
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

interface RequestFormProps extends OperationViewProps {
  readonly leftOutFields: readonly RequestField[];
}

/** The form of a request, with its fields in the contract's groups. */
export function RequestForm(props: RequestFormProps) {
  const { id, operation, state, outcome, leftOutFields, accountId } = props;
  const problems = problemsByField(outcome?.problem);
  return (
    <Form
      action={`${operationPath(id)}#result`}
      class="request-form"
      id={FORM_ID}
      hasToken={accountId !== undefined}
      {...(operation.response.kind === 'file' ? { target: '_blank' } : {})}
    >
      <Presets id={id} />
      {leftOutFields.length > 0 && outcome === undefined && (
        <p class="notice" data-left-out="">
          Secret and long values are not in the address. Enter these again if you need them:{' '}
          {leftOutFields.map(({ label }) => label).join(', ')}.
        </p>
      )}
      {operation.request === undefined ? (
        <p class="muted">The request has no fields.</p>
      ) : (
        fieldGroups(operation).map((group) => <Group group={group} state={state} problems={problems} />)
      )}
    </Form>
  );
}
