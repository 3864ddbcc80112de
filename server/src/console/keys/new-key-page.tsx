import { findProjectOf } from '../../accounts/project.js';
import { createCappedKey } from '../../keys/create-key.js';
import { ServiceError } from '../../platform/errors.js';
import { CopyValue } from '../layout/copyable.js';
import { formFields } from '../layout/form-data.js';
import type { PageRouter } from '../routing/page-router.js';
import { formatLimits } from './key-display.js';

/** A command line that looks a postcode up with this key, to be pasted as it is. */
export const lookupCommand = (publicUrl: string, key: string): string =>
  [
    'curl',
    `-H "X-Api-Key: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '{"postcode":"SW1A 1AA"}'`,
    `${publicUrl}/api/postcode/lookup`,
  ].join(' ');

/** POST /projects/:projectId/keys: makes a key and shows it, this once. */
export function addNewKey(pages: PageRouter): void {
  const { parts } = pages;
  const { db, publicUrl, defaultLimits } = parts;

  pages.signedIn('POST', '/projects/:projectId/keys', async (visit) => {
    const { projectId } = formFields(visit.request.params, ['projectId']);
    const { account } = visit.visitor;
    const project = await findProjectOf(db, account.id, projectId);
    if (project === undefined) {
      throw new ServiceError('notFound', 'You have no such project. Yours are in the overview.');
    }
    const wanted = { accountId: account.id, projectId: project.id };
    const { key, prefix } = await createCappedKey(db, parts, wanted);
    return visit.page(
      { title: 'Your new key' },
      <>
        <p class="crumbs">
          <a href="/overview">Overview</a> · {project.name}
        </p>
        <h1>Your new key</h1>
        <section class="card" aria-labelledby="key-heading">
          <h2 id="key-heading">Copy it now</h2>
          <p class="notice">
            It is shown this once. Keep it where your program reads it and nobody else does: whoever has it
            uses your limits.
          </p>
          <CopyValue id="new-key" label="the key" value={key} />
          <p class="aside">
            The overview names it by its beginning, <code>{prefix}</code>. If you lose it, create another and
            revoke this one.
          </p>
        </section>
        <section class="card" aria-labelledby="try-heading">
          <h2 id="try-heading">Try it</h2>
          <p>Paste this line into a terminal; it looks a postcode up:</p>
          <CopyValue id="lookup-command" label="the command" value={lookupCommand(publicUrl(), key)} />
          <p>
            Requests: <strong>{formatLimits(defaultLimits)}</strong>, in calendar minutes and days of UTC.
            Limits are set by the operator of this server, so ask there for higher ones.
          </p>
          <p class="aside">
            All operations are in the <a href="/reference">reference</a>.
          </p>
        </section>
        <p>
          <a class="button" href="/overview">
            I have copied it
          </a>
        </p>
      </>,
    );
  });
}
