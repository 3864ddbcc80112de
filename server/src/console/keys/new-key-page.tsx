import { ServiceError } from '../../platform/errors.js';
import { CopyValue } from '../layout/copyable.js';
import { formFields } from '../layout/form-data.js';
import { formatLimits } from './key-display.js';
import { signedInPage } from '../routing/page.js';

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
export const newKeyPage = signedInPage('/projects/:projectId/keys', {
  post: async (context) => {
    const { projectId } = formFields(context.request.params, ['projectId']);
    const { account } = context.user;
    const { accounts, keys, publicUrl, defaultLimits } = context.deps;
    const project = await accounts.findProject(account.id, projectId);
    if (project === undefined) {
      throw new ServiceError('notFound', 'You have no such project. Yours are in the overview.');
    }
    const wanted = { accountId: account.id, projectId: project.id };
    const { key, prefix } = await keys.createCapped(context.actor, wanted);
    return context.render(
      { title: 'Your new key' },
      <>
        <p class="crumbs">
          <a href="/overview">Overview</a> · {project.name}
        </p>
        <h1>Your new key</h1>
        <section class="card" aria-labelledby="key-heading">
          <h2 id="key-heading">Copy it now</h2>
          <p class="notice">
            It is shown only now. Keep it where your program reads it and nobody else does: whoever has it
            uses your limits.
          </p>
          <CopyValue id="new-key" label="the key" value={key} />
          <p class="aside">
            The overview lists it by its first characters, <code>{prefix}</code>. If you lose it, create
            another and revoke this one.
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
  },
  leadsTo: '/overview',
});
