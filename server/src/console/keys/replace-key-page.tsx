import { z } from 'zod';
import { findKey } from '../../keys/find-keys.js';
import { isLive, type Key } from '../../keys/key.js';
import { DEFAULT_OVERLAP_MS, replaceKey } from '../../keys/replace-key.js';
import { DAY_MS, HOUR_MS } from '../../platform/time-units.js';
import { effectiveLimits } from '../../usage/read-key-usage.js';
import type { FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
import { Select } from '../layout/select.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { keyLabel } from './key-display.js';
import { showNewKey } from './new-key-page.js';
import { keyPath, requireOwnKey } from './own-key.js';

const OVERLAPS = [
  ['0', 'Not at all: it ends now'],
  [String(HOUR_MS), 'For an hour'],
  [String(DEFAULT_OVERLAP_MS), 'For 24 hours'],
  [String(7 * DAY_MS), 'For 7 days'],
  [String(30 * DAY_MS), 'For 30 days'],
] as const;

const showForm = (context: SignedInContext, key: Key, problems?: FormProblems) =>
  context.render(
    { crumbs: [[keyPath(key.id), keyLabel(key)]], title: `Replace ${key.prefix}`, width: 'narrow', problems },
    <>
      <h1>Replace this key?</h1>
      <p>
        You get a new key with the same name, note, limits and project. The old one keeps working for a while,
        so that your programs can change over, and then ends for good; an earlier end that it has stays.
      </p>
      <Form action={`${keyPath(key.id)}/replace`} class="stack">
        <Select
          name="overlap"
          label="The old key keeps working"
          value={String(DEFAULT_OVERLAP_MS)}
          choices={OVERLAPS}
        />
        <p class="actions">
          <button type="submit">Make the new key</button>
          <a class="button secondary" href={keyPath(key.id)}>
            Keep it as it is
          </a>
        </p>
      </Form>
    </>,
  );

const FORM = z.object({
  overlap: z
    .enum(
      OVERLAPS.map(([value]) => value),
      { error: 'Choose how long the old key keeps working.' },
    )
    .transform(Number),
});

async function replace(context: SignedInContext) {
  const key = await requireOwnKey(context);
  const { deps, domain } = context;
  const newKey = await replaceKey(domain, key, { overlapMs: context.readForm(FORM).overlap });
  const old = (await findKey(domain, key.accountId, key.id)) ?? key;
  const endsAtMs = old.endsAtMs ?? domain.clock();
  return showNewKey(context, {
    ...newKey,
    project: { id: key.projectId, name: key.projectName },
    limits: effectiveLimits(key, deps.defaultLimits),
    path: keyPath(newKey.id),
    replaced: (
      <p class="notice good" role="status">
        It takes the place of {keyLabel(key)}, which {isLive(old) ? 'ends' : 'ended'}{' '}
        <Timestamp timeMs={endsAtMs} />.
      </p>
    ),
  });
}

/**
 * GET and POST /keys/:keyId/replace: replaces a key by a new one. The old key ends after the chosen time, or at its own
 * end if that is earlier.
 */
export const replaceKeyPage = signedInPage('/keys/:keyId/replace', {
  get: async (context) => {
    const key = await requireOwnKey(context);
    return isLive(key) ? showForm(context, key) : context.redirect(keyPath(key.id));
  },
  post: replace,
  onError: async (context, error) =>
    showForm(context, await requireOwnKey(context), context.problemsOf(error)),
});
