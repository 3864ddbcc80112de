import { rotateKeys } from '../../tokens/rotate-keys.js';
import { type FormProblems, problemsOf } from '../layout/form-data.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { MAINTENANCE_PATH } from './account-route.js';
import { showPasswordForm, verifyTypedPassword } from './password-form.js';

export const ROTATE_PATH = `${MAINTENANCE_PATH}/rotate-keys`;

const showForm = (context: SignedInContext, problems?: FormProblems) =>
  showPasswordForm({
    context,
    title: 'Rotate the signing and encryption keys?',
    action: ROTATE_PATH,
    button: 'Make new keys',
    backTo: MAINTENANCE_PATH,
    problems,
    children: (
      <>
        <p>
          New keys sign access tokens and encrypt refresh tokens and second factors from now on, on all
          servers at once. API keys, refresh tokens and passwords stay as they are.
        </p>
        <p>
          Access tokens that the current key signed stay valid until they end, within three hours. Services
          that verify tokens themselves find the new key at <code>/.well-known/jwks.json</code>.
        </p>
      </>
    ),
  });

/** GET and POST /operator/maintenance/rotate-keys: asks for the password, then makes new server keys. */
export const rotateKeysPage = operatorPage(ROTATE_PATH, {
  get: (context) => showForm(context),
  post: async (context) => {
    try {
      await verifyTypedPassword(context);
    } catch (error) {
      return showForm(context, problemsOf(error));
    }
    await rotateKeys(context.domain);
    return context.redirect(`${MAINTENANCE_PATH}?done=rotated`);
  },
});
