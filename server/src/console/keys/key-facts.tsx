import { isLive, type Key } from '../../keys/key.js';
import type { Connection } from '../../oauth/connections.js';
import { permissionWords } from '../../keys/permissions.js';
import type { Limits } from '../../usage/rate-limit.js';
import type { Usage } from '../../usage/read-key-usage.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { AskOperator } from '../layout/notices.js';
import { higherLimitsPath } from './higher-limits-page.js';
import { formatLimits, formatRemaining, keyLabel } from './key-display.js';
import { keyPath } from './own-key.js';
import { type Fact, Facts, Figures } from '../layout/facts.js';

/** The key that a key replaces, and the key that replaced it. */
export interface KeyNeighbours {
  readonly replaces: Key | undefined;
  readonly replacedBy: Key | undefined;
}

interface KeyNoticesProps extends KeyNeighbours {
  readonly ownKey: Key;
  /** The assistant that uses the key. */
  readonly connection: Connection | undefined;
}

const KeyReference = ({ to }: { readonly to: Key }) => <a href={keyPath(to.id)}>{keyLabel(to)}</a>;

/** The most important notices about a key. */
export function KeyNotices({ ownKey, replaces, replacedBy, connection }: KeyNoticesProps) {
  const { state, endsAtMs, disabledBy } = ownKey;
  return (
    <>
      {state === 'revoked' ? (
        <p class="notice">This key is revoked: its requests are refused. Its usage stays counted.</p>
      ) : null}
      {state === 'expired' ? (
        <p class="notice">This key has ended: its requests are refused. Its usage stays counted.</p>
      ) : null}
      {state === 'disabled' && disabledBy === 'owner' ? (
        <p class="notice">This key is disabled: its requests are refused until you enable it.</p>
      ) : null}
      {state === 'disabled' && disabledBy === 'operator' ? (
        <p class="notice danger">
          The operator disabled this key: its requests are refused, and only the operator can enable it.{' '}
          <AskOperator />
        </p>
      ) : null}
      {replacedBy === undefined ? null : (
        <p class="notice">
          <KeyReference to={replacedBy} /> takes its place.{' '}
          {isLive(ownKey) && endsAtMs !== null ? (
            <>
              This one ends on <Timestamp timeMs={endsAtMs} />.
            </>
          ) : null}
        </p>
      )}
      {replaces !== undefined && isLive(replaces) ? (
        <p class="notice">
          It takes the place of <KeyReference to={replaces} />, which ends{' '}
          {replaces.endsAtMs === null ? 'later' : <Timestamp timeMs={replaces.endsAtMs} />}.
        </p>
      ) : null}
      {connection === undefined ? null : (
        <p class="notice good">
          The assistant <strong>{connection.clientName}</strong> works with this key.{' '}
          <a href="/assistants#connections">Your connections</a>
        </p>
      )}
    </>
  );
}

interface KeyFactsProps extends KeyNeighbours {
  readonly ownKey: Key;
  readonly limits: Limits;
}

const timeOr = (timeMs: number | null, otherwise: string) =>
  timeMs === null ? otherwise : <Timestamp timeMs={timeMs} />;

/** The facts about a key, except its usage. */
export function KeyFacts({ ownKey, limits, replaces }: KeyFactsProps) {
  const { projectName, note, createdAtMs, lastUsedAtMs, revokedAtMs, disabledAtMs, endsAtMs } = ownKey;
  const disabledWords = ownKey.disabledBy === 'operator' ? 'Disabled by the operator' : 'Disabled';
  const endWord = ownKey.state === 'expired' ? 'Ended' : 'Ends';
  const facts: readonly Fact[] = [
    ['Project', <bdi>{projectName}</bdi>],
    [
      'Limits',
      isLive(ownKey) && (
        <>
          {formatLimits(limits)}. <a href={higherLimitsPath(ownKey.id)}>Ask for higher limits</a>
        </>
      ),
    ],
    ['May use', permissionWords(ownKey.permissions) ?? false],
    ['Note', !isLive(ownKey) && note !== null && <span class="key-note">{note}</span>],
    ['Last used', timeOr(lastUsedAtMs, 'never')],
    ['Created', <Timestamp timeMs={createdAtMs} />],
    ['Replaces', replaces !== undefined && <KeyReference to={replaces} />],
    [disabledWords, disabledAtMs !== null && <Timestamp timeMs={disabledAtMs} />],
    [endWord, revokedAtMs === null && timeOr(endsAtMs, 'never')],
    ['Revoked', revokedAtMs !== null && <Timestamp timeMs={revokedAtMs} />],
  ];
  return <Facts facts={facts} />;
}

interface KeyFiguresProps {
  readonly usage: Usage;
  /** Requests left today: null if unlimited, undefined if the key has ended. */
  readonly leftToday: number | null | undefined;
}

const responseTime = (meanMs: number) =>
  meanMs === 0 ? 'none yet' : `${meanMs.toLocaleString('en-GB', { maximumSignificantDigits: 3 })} ms`;

/** The usage of a key in figures. */
export function KeyFigures({ usage, leftToday }: KeyFiguresProps) {
  const figures: readonly Fact[] = [
    ['Requests today (UTC)', formatCount(usage.requestsToday)],
    ['Left today', leftToday !== undefined && formatRemaining(leftToday)],
    ['This minute', formatCount(usage.requestsThisMinute)],
    ['All time', formatCount(usage.totalRequests)],
    ['Mean response time', responseTime(usage.averageResponseTimeMs)],
  ];
  return <Figures figures={figures} />;
}
