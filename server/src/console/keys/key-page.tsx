import { changeKey } from '../../keys/change-key.js';
import { findKey } from '../../keys/find-keys.js';
import { isLive, type Key } from '../../keys/key.js';
import { effectiveLimits, remainingLimits } from '../../usage/read-key-usage.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import type { FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { KeyActions, keyActionPages } from './key-actions.js';
import { KeyHead } from './key-display.js';
import { KeyFacts, KeyFigures, KeyNotices } from './key-facts.js';
import { KeyFields, keyForm } from './key-form.js';
import { keyPath, keyPathOf, projectPath, requireOwnKey } from './own-key.js';
import { OVERVIEW } from '../layout/page-layout.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';

const PATH = '/keys/:keyId';

const DONE = new Map([
  ['changed', 'The changes are saved.'],
  ['disabled', 'The key is disabled, from its next request on.'],
  ['enabled', 'The key is enabled: it works from its next request on.'],
]);

async function readAround({ user, deps, domain }: SignedInContext, { id, replacesId, replacedById }: Key) {
  const { id: accountId } = user.account;
  const find = (keyId: number | null) =>
    keyId === null ? Promise.resolve(undefined) : findKey(domain, accountId, keyId);
  const [usage, connections, replaces, replacedBy] = await Promise.all([
    deps.usage.ofKey(id),
    deps.oauth.list(accountId),
    find(replacesId),
    find(replacedById),
  ]);
  return { usage, connection: connections.find(({ keyId }) => keyId === id), replaces, replacedBy };
}

const DetailsCard = ({ ownKey }: { readonly ownKey: Key }) => (
  <Card id="details" title="Name, note and end">
    <Form action={`${keyPath(ownKey.id)}/details`} class="stack key-form">
      <KeyFields ownKey={ownKey} />
      <button type="submit">Save</button>
    </Form>
  </Card>
);

async function showKey(context: SignedInContext, problems?: FormProblems) {
  const key = await requireOwnKey(context);
  const { usage, connection, ...neighbours } = await readAround(context, key);
  const limits = effectiveLimits(key, context.deps.defaultLimits);
  const leftToday = remainingLimits(limits, usage).perDay;
  const canBeReplaced =
    connection === undefined && key.replacedById === null && key.disabledBy !== 'operator';
  return context.render(
    {
      crumbs: [OVERVIEW, [projectPath(key.projectId), key.projectName]],
      title: key.name ?? `Key ${key.prefix}`,
      problems,
    },
    <>
      <KeyHead ownKey={key} leftToday={leftToday}>
        <KeyActions ownKey={key} path={keyPath(key.id)} by="owner" canBeReplaced={canBeReplaced} />
      </KeyHead>
      <DoneNotice sentences={DONE} />
      <KeyNotices ownKey={key} connection={connection} {...neighbours} />
      <section aria-labelledby="usage">
        <h2 id="usage">Usage</h2>
        {usage.totalRequests === 0 ? (
          <p>
            No request yet. <a href={`/reference/lookupPostcode?key=${key.id}`}>Send one with this key</a>.
          </p>
        ) : (
          <>
            <KeyFigures usage={usage} leftToday={isLive(key) ? leftToday : undefined} />
            <DailyUsageChart dailyUsage={usage.dailyUsage} label="Requests per day" />
          </>
        )}
        <Actions
          links={[
            [`/usage?key=${key.id}`, 'Usage by operation and time'],
            [`/requests?key=${key.id}`, 'Requests one by one'],
          ]}
        />
      </section>
      <div class="key-cards">
        {isLive(key) && <DetailsCard ownKey={key} />}
        <Card id="about" title="About this key">
          <KeyFacts ownKey={key} limits={limits} {...neighbours} />
        </Card>
      </div>
    </>,
  );
}

async function changeDetails(context: SignedInContext) {
  const key = await requireOwnKey(context);
  const { ends, ...details } = context.readForm(keyForm(context.domain.clock(), key));
  await changeKey(context.domain, key, { ...details, endsAtMs: ends });
  return context.redirect(`${keyPath(key.id)}?done=changed`);
}

/**
 * GET /keys/:keyId: the usage of a key, its limits, and the actions on it. POST …/details changes its name, note and
 * end; …/disable, …/enable and …/revoke are the other actions.
 */
export const keyPages = [
  signedInPage(PATH, { get: (context) => showKey(context) }),
  signedInPage(`${PATH}/details`, {
    post: changeDetails,
    onError: (context, error) => showKey(context, context.problemsOf(error)),
    leadsTo: keyPathOf,
  }),
  ...keyActionPages({
    by: 'owner',
    path: PATH,
    find: requireOwnKey,
    resultPath: ({ id, prefix }, outcome) => {
      if (outcome === 'ended') return keyPath(id);
      return outcome === 'revoked'
        ? `/overview?done=revoked&which=${prefix}`
        : `${keyPath(id)}?done=${outcome}`;
    },
    backTo: keyPathOf,
  }),
];
