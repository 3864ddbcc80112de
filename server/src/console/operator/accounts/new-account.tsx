import type { Account } from '../../../accounts/account.js';
import { createAccount } from '../../../accounts/create-account.js';
import { checkDisplayName } from '../../../accounts/display-name.js';
import { normaliseEmail } from '../../../accounts/email.js';
import { fieldProblems, formFields, problemsOf, type FormProblems } from '../../form-fields.js';
import type { Pages, SignedInVisit } from '../../pages.js';
import { OperatorTabs } from '../operator-tabs.js';
import { ACCOUNTS_PATH, accountPath } from './account-paths.js';
import { MadePassword } from './made-password.js';
import { NewAccountForm, type NewAccountFields } from './new-account-form.js';

const showRefused = (visit: SignedInVisit, typed: NewAccountFields, problems: FormProblems) =>
  visit.page(
    { title: 'New account', problems },
    <>
      <OperatorTabs />
      <h1>New account</h1>
      <NewAccountForm typed={typed} problems={problems} />
    </>,
  );

const showMade = (visit: SignedInVisit, account: Account, password: string) =>
  visit.page(
    { title: 'Account made' },
    <>
      <OperatorTabs />
      <h1>Account made</h1>
      <MadePassword account={account} password={password} />
      <p class="actions">
        <a class="button" href={accountPath(account.id)}>
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

/** POST /operator/accounts: makes an account and shows its password, which is not kept, this once. */
export function addNewAccount(pages: Pages): void {
  const { parts } = pages;
  pages.operator('POST', ACCOUNTS_PATH, async (visit) => {
    const typed = readFields(visit.request.body);
    const name = typed.name.trim() === '' ? undefined : typed.name;
    const problems = fieldProblems({
      email: () => normaliseEmail(typed.email),
      name: () => name === undefined || checkDisplayName('The name', name),
    });
    if (problems !== undefined) return showRefused(visit, typed, problems);
    let made;
    try {
      made = await createAccount(parts.db, parts, { ...typed, name });
    } catch (error) {
      return showRefused(visit, typed, problemsOf(error, 'email'));
    }
    return showMade(visit, made.account, made.generatedPassword ?? '');
  });
}
