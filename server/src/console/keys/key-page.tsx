import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import type { Limits } from '../../usage/rate-limit.js';
import { limitsInForce, remainingOf, type Usage } from '../../usage/read-key-usage.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import { formFields } from '../layout/form-data.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import type { SignedInContext } from '../routing/page-context.js';
import { KeyState, formatRemaining, formatLimits } from './key-display.js';
import { signedInPage } from '../routing/page.js';

/** The page of one key of whoever is signed in. */
export const keyPath = (keyId: number): string => `/keys/${keyId}`;

/**
 * The key that the address of the page names, live or revoked. Throws the same ServiceError for another account's
 * key as for one that there is not.
 */
export async function requireOwnKey({ request, user, deps }: SignedInContext): Promise<Key> {
  const { keyId } = formFields(request.params, ['keyId']);
  const key = /^[1-9]\d{0,9}$/u.test(keyId)
    ? await deps.keys.find(user.account.id, Number(keyId))
    : undefined;
  if (key === undefined)
    throw new ServiceError('notFound', 'You have no such key. Yours are in the overview.');
  return key;
}

interface KeyFactsProps {
  readonly ownKey: Key;
  readonly limits: Limits;
}

/** What is known of a key beside its usage. */
function KeyFacts({ ownKey, limits }: KeyFactsProps) {
  const { projectName, createdAtMs, lastUsedAtMs, revokedAtMs } = ownKey;
  return (
    <dl class="facts">
      <dt>Project</dt>
      <dd>{projectName}</dd>
      {revokedAtMs === null ? (
        <>
          <dt>Limits</dt>
          <dd>{formatLimits(limits)}; set by the operator of this server</dd>
        </>
      ) : null}
      <dt>Last used</dt>
      <dd>{lastUsedAtMs === null ? 'never' : <Timestamp timeMs={lastUsedAtMs} />}</dd>
      <dt>Created</dt>
      <dd>
        <Timestamp timeMs={createdAtMs} />
      </dd>
      {revokedAtMs === null ? null : (
        <>
          <dt>Revoked</dt>
          <dd>
            <Timestamp timeMs={revokedAtMs} />
          </dd>
        </>
      )}
    </dl>
  );
}

interface KeyFiguresProps {
  readonly usage: Usage;
  /** Requests left today, null where there is no limit; undefined for a key that is revoked. */
  readonly leftToday: number | null | undefined;
}

const responseTime = (meanMs: number) =>
  meanMs === 0 ? 'none yet' : `${meanMs.toLocaleString('en-GB', { maximumSignificantDigits: 3 })} ms`;

/** The usage of a key in figures. */
function KeyFigures({ usage, leftToday }: KeyFiguresProps) {
  const figures = [
    { label: 'Requests today (UTC)', value: formatCount(usage.requestsToday) },
    ...(leftToday === undefined ? [] : [{ label: 'Left today', value: formatRemaining(leftToday) }]),
    { label: 'This minute', value: formatCount(usage.requestsThisMinute) },
    { label: 'All time', value: formatCount(usage.totalRequests) },
    { label: 'Mean response time', value: responseTime(usage.averageResponseTimeMs) },
  ];
  return (
    <dl class="figures">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** GET /keys/:keyId: what one key has been used for, and its limits. */
export const keyPage = signedInPage('/keys/:keyId', {
  get: async (context) => {
    const key = await requireOwnKey(context);
    const usage = await context.deps.usage.ofKey(key.id);
    const limits = limitsInForce(key, context.deps.defaultLimits);
    const leftToday = remainingOf(limits, usage).perDay;
    const isRevoked = key.revokedAtMs !== null;
    return context.render(
      { title: `Key ${key.prefix}` },
      <>
        <p class="crumbs">
          <a href="/overview">Overview</a> · {key.projectName}
        </p>
        <div class="page-head">
          <h1 class="key-name">
            Key <code>{key.prefix}…</code> <KeyState ownKey={key} leftToday={leftToday} />
          </h1>
          {isRevoked ? null : (
            <a class="button destructive" href={`${keyPath(key.id)}/revoke`}>
              Revoke the key…
            </a>
          )}
        </div>
        {isRevoked ? (
          <p class="notice">This key is revoked: its requests are refused. Its usage stays counted.</p>
        ) : null}
        <section aria-labelledby="usage">
          <h2 id="usage">Usage</h2>
          <KeyFigures usage={usage} leftToday={isRevoked ? undefined : leftToday} />
          <DailyUsageChart dailyUsage={usage.dailyUsage} label="Requests per day" />
          <p class="actions">
            <a class="button secondary" href={`/usage?key=${key.id}`}>
              Usage by operation and time
            </a>
            <a class="button secondary" href={`${keyPath(key.id)}/requests`}>
              Requests one by one
            </a>
          </p>
        </section>
        <section class="card" aria-labelledby="about">
          <h2 id="about">About this key</h2>
          <KeyFacts ownKey={key} limits={limits} />
        </section>
      </>,
    );
  },
});
