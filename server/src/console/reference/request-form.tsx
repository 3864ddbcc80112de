import { isApiKeyOperationId } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import { operationPath } from '../layout/operation-path.js';
import { Form } from '../layout/form.js';
import { type FormState, isSet } from '../request/form-state.js';
import { type FieldGroup, fieldGroups, type RequestField } from '../request/request-fields.js';
import type { OperationViewProps } from './operation-state.js';
import { PRESETS } from './presets.js';
import { RequestInput } from './request-input.js';

export const FORM_ID = 'request-form';

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

/**
 * Buttons that fill the form with an example. They submit the form, so that entered values are kept, and no secret
 * gets into an address.
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
          key={title}
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

interface RequestFormProps extends OperationViewProps {
  readonly leftOutFields: readonly RequestField[];
}

/**
 * The form element. For people who are not signed in, the form has no token, because it acts only with the pasted
 * credential and never with a session.
 */
function Shell({
  props,
  children,
}: {
  readonly props: RequestFormProps;
  readonly children: ComponentChildren;
}) {
  const { id, operation, accountId } = props;
  const attributes = {
    action: `${operationPath(id)}#result`,
    class: 'request-form',
    id: FORM_ID,
    ...(operation.response.kind === 'file' ? ({ target: '_blank' } as const) : {}),
  };
  return accountId === undefined ? (
    <form method="post" {...attributes}>
      {children}
    </form>
  ) : (
    <Form {...attributes}>{children}</Form>
  );
}

/** The fields of the request in the contract's groups. */
export function RequestForm(props: RequestFormProps) {
  const { id, operation, state, outcome, leftOutFields } = props;
  const problems = problemsByField(outcome?.problem);
  return (
    <Shell props={props}>
      <Presets id={id} />
      <LeftOut fields={leftOutFields} hasOutcome={outcome !== undefined} />
      {operation.request === undefined ? (
        <p class="muted">The request has no fields.</p>
      ) : (
        fieldGroups(operation).map((group) => (
          <Group key={group.title ?? ''} group={group} state={state} problems={problems} />
        ))
      )}
    </Shell>
  );
}
