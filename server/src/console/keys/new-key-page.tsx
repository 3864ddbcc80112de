import type { ComponentChildren } from 'preact';
import type { Project } from '../../accounts/project.js';
import { createKey } from '../../keys/create-key.js';
import type { Limits } from '../../usage/rate-limit.js';
import { effectiveLimits } from '../../usage/read-key-usage.js';
import { CopyValue } from '../layout/copyable.js';
import type { FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { higherLimitsPath } from './higher-limits-page.js';
import { signedInPage } from '../routing/page.js';
import { formatLimits } from './key-display.js';
import { KeyFields, keyForm } from './key-form.js';
import { mostOf, OwnLimitFields, ownLimitsForm, permissionsOf } from './own-limit-fields.js';
import { projectPath, requireOwnProject } from './own-key.js';
import { OVERVIEW } from '../layout/page-layout.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';

/** A command line that looks a postcode up with this key, ready to be pasted. */
export const lookupCommand = (publicUrl: string, key: string): string =>
  [
    'curl',
    `-H "X-Api-Key: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '{"postcode":"SW1A 1AA"}'`,
    `${publicUrl}/api/postcode/lookup`,
  ].join(' ');

interface MadeKey {
  readonly id: number;
  readonly key: string;
  readonly prefix: string;
  readonly project: Pick<Project, 'id' | 'name'>;
  readonly limits: Limits;
  readonly path: string;
  readonly replaced?: ComponentChildren;
}

/** Shows a new key. It is never shown again. */
export function showNewKey(context: SignedInContext, made: MadeKey) {
  const { id, key, prefix, project, limits, path, replaced } = made;
  return context.render(
    { crumbs: [OVERVIEW, [projectPath(project.id), project.name]], title: 'Your new key' },
    <>
      <h1>Your new key</h1>
      {replaced}
      <Card id="key-heading" title="Copy it now">
        <p class="notice">
          It is shown only now. Keep it where only your program can read it: anyone who has it can use your
          limits.
        </p>
        <CopyValue id="new-key" label="the key" value={key} />
        <p class="aside">
          The overview lists it by its first characters, <code>{prefix}</code>. If you lose it, create another
          and revoke this one.
        </p>
      </Card>
      <Card id="try-heading" title="Try it">
        <p>Paste this line into a terminal; it looks a postcode up:</p>
        <CopyValue
          id="lookup-command"
          label="the command"
          value={lookupCommand(context.deps.publicUrl(), key)}
        />
        <p>
          Requests: <strong>{formatLimits(limits)}</strong>, in calendar minutes and days of UTC.{' '}
          <a href={higherLimitsPath(id)}>Ask for higher limits</a> if these are too low.
        </p>
        <p class="aside">
          All operations are in the <a href="/reference">reference</a>.
        </p>
      </Card>
      <Actions links={[[path, 'I have copied it', 'main']]} />
    </>,
  );
}

const mostFor = ({ deps, user }: SignedInContext): Limits =>
  mostOf(deps.defaultLimits, effectiveLimits(user.account, deps.accountLimits));

async function showForm(context: SignedInContext, problems?: FormProblems) {
  const { id, name } = await requireOwnProject(context);
  return context.render(
    { crumbs: [OVERVIEW, [projectPath(id), name]], title: 'Create a key', width: 'narrow', problems },
    <>
      <h1>Create a key</h1>
      <Form action={`${projectPath(id)}/keys`} class="stack key-form">
        <KeyFields />
        <OwnLimitFields most={mostFor(context)} />
        <button type="submit">Create the key</button>
      </Form>
    </>,
  );
}

/** GET and POST /projects/:projectId/keys: asks for the details of a key, creates it, and shows it once. */
export const newKeyPage = signedInPage('/projects/:projectId/keys', {
  get: (context) => showForm(context),
  post: async (context) => {
    const project = await requireOwnProject(context);
    const { deps, domain, user } = context;
    const form = keyForm(domain.clock()).extend(ownLimitsForm(mostFor(context)).shape);
    const { ends, captures, postcodes, usage, isChosen, ...details } = context.readForm(form);
    const permissions = permissionsOf({ captures, postcodes, usage, isChosen });
    const owner = { accountId: user.account.id, projectId: project.id };
    const made = await createKey(domain, { ...owner, ...details, permissions, endsAtMs: ends });
    const { perMinute = 'default', perDay = 'default' } = details;
    const limits = effectiveLimits({ perMinute, perDay }, deps.defaultLimits);
    return showNewKey(context, { ...made, project, limits, path: '/overview' });
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
