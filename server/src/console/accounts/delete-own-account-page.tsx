import { deleteOwnAccount } from '../../accounts/delete-account.js';
import { formFields, type FormProblems, problemsOf } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';

const PATH = '/account/delete';

function showForm(context: SignedInContext, problems?: FormProblems) {
  const { email } = context.user.account;
  return context.render(
    { title: 'Delete your account', width: 'narrow', problems },
    <>
      <h1>Delete your account?</h1>
      <p>
        The account <strong>{email}</strong> is deleted with its projects, keys, tokens and usage. Programs
        that use its keys are refused at once. <strong>This cannot be undone.</strong>
      </p>
      <FormAlert problems={problems} />
      <Form action={PATH} class="stack">
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <Field
          name="current"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required
          problems={problems}
        />
        <p class="actions">
          <button type="submit" class="danger-button">
            Delete the account
          </button>
          <a class="button secondary" href="/account">
            Keep it as it is
          </a>
        </p>
      </Form>
    </>,
  );
}

/** GET and POST /account/delete: asks for the password, then deletes the signed-in person's account. */
export const deleteOwnAccountPage = signedInPage(PATH, {
  get: (context) => showForm(context),
  post: async (context) => {
    const { current } = formFields(context.request.body, ['current']);
    try {
      await deleteOwnAccount(context.domain, context.user.account.id, current);
    } catch (error) {
      return showForm(context, problemsOf(error));
    }
    await context.forgetSession();
    return context.redirect('/');
  },
});
