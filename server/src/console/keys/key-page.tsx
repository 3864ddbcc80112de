import { changeKey } from '../../keys/change-key.js';
import { findKey } from '../../keys/find-keys.js';
import { isLive, type Key } from '../../keys/key.js';
import { limitsInForce, remainingOf } from '../../usage/read-key-usage.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import type { FormProblems } from '../layout/form-data.js';
import { Form, FormAlert } from '../layout/form.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { KeyActions, keyActionPages } from './key-actions.js';
import { KeyState } from './key-display.js';
import { KeyFacts, KeyFigures, KeyNotices } from './key-facts.js';
import { KeyFields, keyForm } from './key-form.js';
import { keyPath, keyPathOf, projectPath, requireOwnKey } from './own-key.js';
import { OVERVIEW } from '../layout/page-layout.js';

const PATH = '/keys/:keyId';

const DONE = new Map([
  ['changed', 'The changes are saved.'],
  ['disabled', 'The key is disabled, from its next request on.'],
  ['enabled', 'The key is enabled: it works from its next request on.'],
]);

/** Reads everything that a key's page shows, except the key itself. */
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

interface DetailsCardProps {
  readonly ownKey: Key;
  readonly problems: FormProblems | undefined;
}

function DetailsCard({ ownKey, problems }: DetailsCardProps) {
  return (
    <section class="card" aria-labelledby="details">
      <h2 id="details">Name, note and end</h2>
      <FormAlert problems={problems} />
      <Form action={`${keyPath(ownKey.id)}/details`} class="stack key-form">
        <KeyFields ownKey={ownKey} problems={problems} />
        <button type="submit">Save</button>
      </Form>
    </section>
  );
}

async function showKey(context: SignedInContext, key: Key, problems?: FormProblems) {
  const { usage, connection, ...neighbours } = await readAround(context, key);
  const limits = limitsInForce(key, context.deps.defaultLimits);
  const leftToday = remainingOf(limits, usage).perDay;
  const canBeReplaced =
    connection === undefined && key.replacedById === null && key.disabledBy !== 'operator';
  return context.render(
    {
      crumbs: [OVERVIEW, [projectPath(key.projectId), key.projectName]],
      title: key.name ?? `Key ${key.prefix}`,
      problems,
    },
    <>
      <div class="page-head">
        <div class="key-title">
          <h1 class="key-name">
            {key.name === null ? 'Key' : <bdi>{key.name}</bdi>} <code>{key.prefix}…</code>
          </h1>
          <p class="badges">
            <KeyState ownKey={key} leftToday={leftToday} />
          </p>
        </div>
        {isLive(key) ? (
          <KeyActions ownKey={key} path={keyPath(key.id)} by="owner" canBeReplaced={canBeReplaced} />
        ) : null}
      </div>
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
        <p class="actions">
          <a class="button secondary" href={`/usage?key=${key.id}`}>
            Usage by operation and time
          </a>
          <a class="button secondary" href={`/requests?key=${key.id}`}>
            Requests one by one
          </a>
        </p>
      </section>
      <div class="key-cards">
        {isLive(key) ? <DetailsCard ownKey={key} problems={problems} /> : null}
        <section class="card" aria-labelledby="about">
          <h2 id="about">About this key</h2>
          <KeyFacts ownKey={key} limits={limits} {...neighbours} />
        </section>
      </div>
    </>,
  );
}

async function changeDetails(context: SignedInContext) {
  const key = await requireOwnKey(context);
  try {
    const { ends, ...details } = context.readForm(keyForm(context.domain.clock(), key));
    await changeKey(context.domain, key, { ...details, endsAtMs: ends });
  } catch (error) {
    return showKey(context, key, context.problemsOf(error));
  }
  return context.redirect(`${keyPath(key.id)}?done=changed`);
}

/** GET /keys/:keyId: the usage of a key, its limits, and the actions on it. */
export const keyPages = [
  signedInPage(PATH, { get: async (context) => showKey(context, await requireOwnKey(context)) }),
  signedInPage(`${PATH}/details`, { post: changeDetails, leadsTo: keyPathOf }),
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
