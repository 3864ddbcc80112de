import type { FastifyReply } from 'fastify';
import { type LinkedAccount, prepareInvitation, storeInvitation } from '../../accounts/account-links.js';
import { normaliseEmail } from '../../accounts/account.js';
import { checkDisplayName } from '../../platform/display-name.js';
import { fieldProblems, formFields, type FormProblems, problemsOf } from '../layout/form-data.js';
import { Checkbox, Field, Form, FormAlert } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { accountPath, ACCOUNTS_PATH } from './account-route.js';
import { handOver, OneTimeLinkCard } from './one-time-link-card.js';
import { OperatorTabs } from './operator-tabs.js';

interface NewAccountFields {
  readonly email: string;
  readonly name: string;
  readonly hasApiAccess: boolean;
  readonly isOperator: boolean;
}

interface NewAccountFormProps {
  readonly typed?: NewAccountFields;
  readonly problems?: FormProblems;
}

/** The form for a new account. Its owner chooses the password later. */
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

const showRefused = (context: SignedInContext, typed: NewAccountFields, problems: FormProblems) =>
  context.render(
    { title: 'New account', problems },
    <>
      <OperatorTabs />
      <h1>New account</h1>
      <NewAccountForm typed={typed} problems={problems} />
    </>,
  );

const showMade = (context: SignedInContext, linked: LinkedAccount) =>
  context.render(
    { title: 'Account made' },
    <>
      <OperatorTabs />
      <h1>Account made</h1>
      <OneTimeLinkCard
        linked={linked}
        url={handOver(context, linked)}
        isMailed={context.deps.notifications.reaches(linked.account.email)}
      />
      <p class="actions">
        <a class="button" href={accountPath(linked.account.id)}>
          To the account
        </a>
        <a class="button secondary" href={ACCOUNTS_PATH}>
          To all accounts
        </a>
      </p>
    </>,
  );

const readFields = (body: unknown): NewAccountFields => {
  const { email, name, apiAccess, operator } = formFields(body, ['email', 'name', 'apiAccess', 'operator']);
  return { email, name, hasApiAccess: apiAccess === 'yes', isOperator: operator === 'yes' };
};

/**
 * POST /operator/accounts: makes an account, and shows once the link with which its owner chooses a password.
 */
export async function createNewAccount(context: SignedInContext): Promise<FastifyReply> {
  const typed = readFields(context.request.body);
  const name = typed.name.trim() === '' ? undefined : typed.name;
  const problems = fieldProblems({
    email: () => normaliseEmail(typed.email),
    name: () => name === undefined || checkDisplayName('The name', name),
  });
  if (problems !== undefined) return showRefused(context, typed, problems);
  let linked;
  try {
    const { domain } = context;
    linked = await storeInvitation(domain, await prepareInvitation(domain, { ...typed, name }));
  } catch (error) {
    return showRefused(context, typed, problemsOf(error, 'email'));
  }
  return showMade(context, linked);
}
