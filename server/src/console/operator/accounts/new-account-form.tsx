import type { FormProblems } from '../../form-fields.js';
import { Field } from '../../layout/field.js';
import { Form, FormAlert } from '../../layout/form.js';
import { Checkbox } from '../../layout/checkbox.js';
import { ACCOUNTS_PATH } from './account-paths.js';

export interface NewAccountFields {
  readonly email: string;
  readonly name: string;
  readonly hasApiAccess: boolean;
  readonly isOperator: boolean;
}

interface NewAccountFormProps {
  readonly typed?: NewAccountFields;
  readonly problems?: FormProblems;
}

/** Asks for what an account needs; its password is made. */
export function NewAccountForm({ typed, problems }: NewAccountFormProps) {
  return (
    <>
      <FormAlert problems={problems} />
      <Form action={ACCOUNTS_PATH} class="stack operator-form">
        <Field
          name="email"
          label="E-mail"
          type="email"
          autocomplete="off"
          required
          value={typed?.email}
          problems={problems}
        />
        <Field
          name="name"
          label="Name (optional)"
          autocomplete="off"
          hint="What the pages call its owner."
          value={typed?.name}
          problems={problems}
        />
        <div>
          <Checkbox
            name="apiAccess"
            label="API access: may use the tokens of the referral interface"
            isChecked={typed?.hasApiAccess ?? false}
          />
          <Checkbox
            name="operator"
            label="Operator: may see and change everything here"
            isChecked={typed?.isOperator ?? false}
          />
        </div>
        <button type="submit">Make the account</button>
      </Form>
    </>
  );
}
