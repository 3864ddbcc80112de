import { deleteOwnAccount } from '../../accounts/delete-account.js';
import { confirmationPage, findNothing, PASSWORD_FORM } from '../routing/confirmation-page.js';

/** GET and POST /account/delete: asks for the password, then deletes the signed-in person's account. */
export const deleteOwnAccountPage = confirmationPage('signedIn', '/account/delete', {
  find: findNothing,
  ask: ({ user }) => ({
    title: 'Delete your account',
    button: 'Delete the account',
    backTo: '/account',
    asksPassword: true,
    children: (
      <p>
        The account <strong>{user.account.email}</strong> is deleted with its projects, keys, tokens and
        usage. Programs that use its keys are refused at once. <strong>This cannot be undone.</strong>
      </p>
    ),
  }),
  act: async (context) => {
    const { current } = context.readForm(PASSWORD_FORM);
    await deleteOwnAccount(context.domain, context.user.account.id, current);
    await context.forgetSession();
    return context.redirect('/');
  },
});
