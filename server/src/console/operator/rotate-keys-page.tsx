import { rotateKeys } from '../../tokens/rotate-keys.js';
import { confirmationPage, findNothing, verifyTypedPassword } from '../routing/confirmation-page.js';
import { MAINTENANCE_PATH } from './account-route.js';

export const ROTATE_PATH = `${MAINTENANCE_PATH}/rotate-keys`;

/** GET and POST /operator/maintenance/rotate-keys: asks for the password, then makes new server keys. */
export const rotateKeysPage = confirmationPage('operator', ROTATE_PATH, {
  find: findNothing,
  ask: () => ({
    title: 'Rotate the signing and encryption keys',
    button: 'Make new keys',
    backTo: MAINTENANCE_PATH,
    isHarmless: true,
    asksPassword: true,
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
  }),
  act: async (context) => {
    await verifyTypedPassword(context);
    await rotateKeys(context.domain);
    return context.redirect(`${MAINTENANCE_PATH}?done=rotated`);
  },
});
