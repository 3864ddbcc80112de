import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type LinkedAccount, prepareInvitation, storeInvitation } from '../../accounts/account-links.js';
import { normaliseEmail } from '../../accounts/account.js';
import { checkOptionalName } from '../../platform/display-name.js';
import { field, type FormProblems } from '../layout/form-data.js';
import { Checkbox, Field, Form, FormAlert } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { accountPath, ACCOUNTS_PATH } from './account-route.js';
import { handOver, OneTimeLinkCard } from './one-time-link-card.js';

const FORM = z.object({
  email: field(normaliseEmail),
  name: field((text) => checkOptionalName(text) || undefined),
  apiAccess: field((text) => text === 'yes'),
  operator: field((text) => text === 'yes'),
});

/** The form for a new account. Its owner chooses the password later. */
export function NewAccountForm({ problems }: { readonly problems?: FormProblems }) {
  return (
    <>
      <FormAlert problems={problems} />
      <Form action={ACCOUNTS_PATH} class="row operator-form">
        <Field name="email" label="E-mail" type="email" autocomplete="off" required problems={problems} />
        <Field name="name" label="Name (optional)" autocomplete="off" problems={problems} />
        <div class="operator-rights">
          <Checkbox
            name="apiAccess"
            label="API access: may use the tokens of the referral interface"
            isChecked={false}
            problems={problems}
          />
          <Checkbox
            name="operator"
            label="Operator: may see and change everything here"
            isChecked={false}
            problems={problems}
          />
        </div>
        <button type="submit">Make the account</button>
      </Form>
    </>
  );
}

const showRejected = (context: SignedInContext, problems: FormProblems) =>
  context.render(
    { title: 'New account', problems },
    <>
      <h1>New account</h1>
      <NewAccountForm problems={problems} />
    </>,
  );

const showMade = (context: SignedInContext, linked: LinkedAccount) =>
  context.render(
    { title: 'Account made' },
    <>
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

/**
 * POST /operator/accounts: makes an account, and shows once the link with which its owner chooses a password.
 */
export async function createNewAccount(context: SignedInContext): Promise<FastifyReply> {
  const { domain } = context;
  let linked;
  try {
    const { email, name, apiAccess: hasApiAccess, operator: isOperator } = context.readForm(FORM);
    const prepared = await prepareInvitation(domain, { email, name, hasApiAccess, isOperator });
    linked = await storeInvitation(domain, prepared);
  } catch (error) {
    return showRejected(context, context.problemsOf(error, 'email'));
  }
  return showMade(context, linked);
}
