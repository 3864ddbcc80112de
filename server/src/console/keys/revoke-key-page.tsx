import { revokeKey } from '../../keys/change-key.js';
import { Confirmation } from '../layout/form.js';
import type { PageRouter } from '../routing/page-router.js';
import { keyPath, requireOwnKey } from './key-page.js';

const PATH = '/keys/:keyId/revoke';

/** GET and POST /keys/:keyId/revoke: asks, then ends a key for good. */
export function addRevokeOwnKeyPage(pages: PageRouter): void {
  const { db, clock } = pages.parts;

  pages.signedIn('GET', PATH, async (visit) => {
    const { id, prefix, projectName, revokedAtMs } = await requireOwnKey(db, visit);
    if (revokedAtMs !== null) return visit.redirect(keyPath(id));
    return visit.page(
      { title: `Revoke ${prefix}`, width: 'narrow' },
      <Confirmation
        question="Revoke this key?"
        action={`${keyPath(id)}/revoke`}
        button="Revoke the key"
        backTo={keyPath(id)}
      >
        <p>
          <code>{prefix}…</code> of the project {projectName}.
        </p>
        <p>
          Every program that uses it is refused from its next request on. A revoked key cannot be brought
          back; its usage stays counted.
        </p>
      </Confirmation>,
    );
  });

  pages.signedIn('POST', PATH, async (visit) => {
    const { id } = await requireOwnKey(db, visit);
    await revokeKey(db, id, clock());
    return visit.redirect('/overview?done=revoked');
  });
}
