import { Confirmation } from '../layout/form.js';
import { isLive } from '../../keys/key.js';
import { revokeKey } from '../../keys/revoke-key.js';
import { keyLabel } from './key-display.js';
import { keyPath, requireOwnKey } from './own-key.js';
import { signedInPage } from '../routing/page.js';

const PATH = '/keys/:keyId/revoke';

/** GET and POST /keys/:keyId/revoke: asks for confirmation, then revokes a key for good. */
export const revokeKeyPage = signedInPage(PATH, {
  get: async (context) => {
    const key = await requireOwnKey(context);
    const { id, prefix, projectName } = key;
    if (!isLive(key)) return context.redirect(keyPath(id));
    return context.render(
      { title: `Revoke ${prefix}`, width: 'narrow' },
      <Confirmation
        question="Revoke this key?"
        action={`${keyPath(id)}/revoke`}
        button="Revoke the key"
        backTo={keyPath(id)}
      >
        <p>
          <strong>{keyLabel(key)}</strong> of the project {projectName}.
        </p>
        <p>
          Every program that uses it is refused from its next request on. A revoked key cannot be brought
          back; its usage stays counted.
        </p>
      </Confirmation>,
    );
  },
  post: async (context) => {
    const key = await requireOwnKey(context);
    await revokeKey(context.domain, key);
    return context.redirect(`/overview?done=revoked&which=${key.prefix}`);
  },
});
