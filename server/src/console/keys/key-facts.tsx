import { isLive, type Key } from '../../keys/key.js';
import type { Connection } from '../../oauth/connections.js';
import { permissionWords } from '../../keys/permissions.js';
import type { Limits } from '../../usage/rate-limit.js';
import type { Usage } from '../../usage/read-key-usage.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { AskOperator } from '../layout/notices.js';
import { higherLimitsPath } from './higher-limits-page.js';
import { formatLimit, formatLimits, keyLabel } from './key-display.js';
import { keyPath } from './own-key.js';
import { type Fact, Facts, Figures } from '../layout/facts.js';

export interface KeyReplacements {
  readonly replaces: Key | undefined;
  readonly replacedBy: Key | undefined;
}

interface KeyNoticesProps extends KeyReplacements {
  readonly ownKey: Key;
  readonly connection: Connection | undefined;
}

const timeOr = (timeMs: number | null, otherwise: string) =>
  timeMs === null ? otherwise : <Timestamp timeMs={timeMs} />;

const KeyReference = ({ to }: { readonly to: Key }) => <a href={keyPath(to.id)}>{keyLabel(to)}</a>;

const STATE_NOTICES = {
  revoked: 'This key is revoked: its requests are refused. Its usage stays counted.',
  expired: 'This key has ended: its requests are refused. Its usage stays counted.',
  disabled: 'This key is disabled: its requests are refused until you enable it.',
} as const;

export function KeyNotices({ ownKey, replaces, replacedBy, connection }: KeyNoticesProps) {
  const { state, endsAtMs, disabledBy } = ownKey;
  const isDisabledByOperator = state === 'disabled' && disabledBy === 'operator';
  return (
    <>
      {isDisabledByOperator ? (
        <p class="notice danger">
          The operator disabled this key: its requests are refused, and only the operator can enable it.{' '}
          <AskOperator />
        </p>
      ) : (
        state !== 'live' && <p class="notice">{STATE_NOTICES[state]}</p>
      )}
      {replacedBy && (
        <p class="notice">
          <KeyReference to={replacedBy} /> takes its place.{' '}
          {isLive(ownKey) && endsAtMs !== null && (
            <>
              This one ends on <Timestamp timeMs={endsAtMs} />.
            </>
          )}
        </p>
      )}
      {replaces && isLive(replaces) && (
        <p class="notice">
          It takes the place of <KeyReference to={replaces} />, which ends{' '}
          {timeOr(replaces.endsAtMs, 'later')}.
        </p>
      )}
      {connection && (
        <p class="notice good">
          The assistant <strong>{connection.clientName}</strong> works with this key.{' '}
          <a href="/assistants#connections">Your connections</a>
        </p>
      )}
    </>
  );
}

interface KeyFactsProps extends KeyReplacements {
  readonly ownKey: Key;
  readonly limits: Limits;
}

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
  /** Requests left today: null if unlimited, undefined if the key is revoked or expired. */
  readonly leftToday: number | null | undefined;
}

const responseTime = (meanMs: number) =>
  meanMs === 0 ? 'none yet' : `${meanMs.toLocaleString('en-GB', { maximumSignificantDigits: 3 })} ms`;

export function KeyFigures({ usage, leftToday }: KeyFiguresProps) {
  const figures: readonly Fact[] = [
    ['Requests today (UTC)', formatCount(usage.requestsToday)],
    ['Left today', leftToday !== undefined && formatLimit(leftToday)],
    ['This minute', formatCount(usage.requestsThisMinute)],
    ['All time', formatCount(usage.totalRequests)],
    ['Mean response time', responseTime(usage.averageResponseTimeMs)],
  ];
  return <Figures figures={figures} />;
}
