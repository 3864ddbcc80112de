import type { Key } from '../../../keys/key.js';
import type { FormProblems } from '../../form-fields.js';
import { Field } from '../../layout/field.js';
import { Form } from '../../layout/form.js';
import { keyPath } from './key-path.js';

/** Limits as they were typed, and why they were not taken. */
export interface RefusedLimits {
  readonly keyId: number;
  readonly perMinute: string;
  readonly perDay: string;
  readonly problems: FormProblems;
}

interface LimitsFormProps {
  readonly accountId: string;
  readonly keyOfForm: Key;
  readonly refused: RefusedLimits | undefined;
}

/** The identifier of a limit's field, for a link to it. */
export const limitFieldId = (keyId: number, name: string) => `${name}-${keyId}`;

/** The limits of one key, to be changed. */
export function LimitsForm({ accountId, keyOfForm: { id, prefix, ...limits }, refused }: LimitsFormProps) {
  const typed = refused?.keyId === id ? refused : undefined;
  return (
    <Form action={`${keyPath(accountId, id)}/limits`}>
      <fieldset class="operator-limits">
        <legend class="visually-hidden">Limits of {prefix}</legend>
        <div class="row">
          <Field
            name="perMinute"
            id={limitFieldId(id, 'perMinute')}
            label="Requests per minute"
            autocomplete="off"
            required
            value={typed?.perMinute ?? String(limits.perMinute)}
            problems={typed?.problems}
          />
          <Field
            name="perDay"
            id={limitFieldId(id, 'perDay')}
            label="Requests per day"
            autocomplete="off"
            required
            value={typed?.perDay ?? String(limits.perDay)}
            problems={typed?.problems}
          />
          <button type="submit" class="secondary">
            Set limits<span class="visually-hidden"> of {prefix}</span>
          </button>
        </div>
      </fieldset>
    </Form>
  );
}
