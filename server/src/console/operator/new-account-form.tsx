import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { prepareInvitation, storeInvitation } from '../../accounts/account-links.js';
import { normaliseEmail } from '../../accounts/account.js';
import { checkOptionalName } from '../../platform/display-name.js';
import { field, tick } from '../layout/form-data.js';
import { Checkbox, Field, Form } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { accountPath, ACCOUNTS_PATH } from './account-route.js';
import { oneTimeLinkCard, showOnce } from './one-time-link-card.js';

const FORM = z.object({
  email: field(normaliseEmail),
  name: field((text) => checkOptionalName(text) || undefined),
  apiAccess: tick,
  operator: tick,
});

/** The form for a new account. Its owner chooses the password later. */
export const NewAccountForm = () => (
  <Form action={ACCOUNTS_PATH} class="row operator-form">
    <Field name="email" label="E-mail" type="email" autocomplete="off" required />
    <Field name="name" label="Name (optional)" autocomplete="off" />
    <div class="operator-rights">
      <Checkbox name="apiAccess" label="API access: may use the tokens of the referral interface" />
      <Checkbox name="operator" label="Operator: may see and change everything here" />
    </div>
    <button type="submit">Make the account</button>
  </Form>
);

export const showRejectedAccount = (context: SignedInContext, error: unknown): FastifyReply =>
  context.render(
    { title: 'New account', problems: context.problemsOf(error, 'email') },
    <>
      <h1>New account</h1>
      <NewAccountForm />
    </>,
  );

/**
 * POST /operator/accounts: makes an account, shows the link for its owner once, and mails it if mail can reach the
 * owner.
 */
export async function createNewAccount(context: SignedInContext): Promise<FastifyReply> {
  const { domain } = context;
  const { email, name, apiAccess: hasApiAccess, operator: isOperator } = context.readForm(FORM);
  const prepared = await prepareInvitation(domain, { email, name, hasApiAccess, isOperator });
  const linked = await storeInvitation(domain, prepared);
  return showOnce(context, 'Account made', oneTimeLinkCard(context, linked), [
    [accountPath(linked.account.id), 'To the account', 'main'],
    [ACCOUNTS_PATH, 'To all accounts'],
  ]);
}
