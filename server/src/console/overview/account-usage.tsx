import type { Key } from '../../keys/key.js';
import type { Limits } from '../../usage/rate-limit.js';
import { remainingRequests, effectiveLimits, type AccountUsage } from '../../usage/read-key-usage.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import { type DailyUsage, totalOf } from '../chart/usage-summary.js';
import { higherLimitsPath } from '../keys/higher-limits-page.js';
import { formatLimits } from '../keys/key-display.js';
import { formatCount } from '../layout/formatting.js';
import { withQuery } from '../layout/list.js';
import { NOT_ANSWERED, REQUESTS_PATH } from '../usage/request-log.js';
import { Figures } from '../layout/facts.js';

export interface KeyWithUsage {
  readonly key: Key;
  readonly limits: Limits;
  readonly requestsToday: number;
  readonly leftToday: number | null;
}

export interface UsageOfKeys {
  /** The requests of all keys of the account together per day, including those of revoked and expired keys. */
  readonly dailyUsage: DailyUsage;
  readonly of: (key: Key) => KeyWithUsage;
}

/**
 * The daily requests of an account's keys together, and `of`, which returns a key with its limits, and its used and
 * remaining requests of today.
 */
export const usageOfKeys = (
  { dailyUsage, requestsTodayOf }: AccountUsage,
  defaultLimits: Limits,
): UsageOfKeys => ({
  dailyUsage,
  of: (key) => {
    const limits = effectiveLimits(key, defaultLimits);
    const requestsToday = requestsTodayOf.get(key.id) ?? 0;
    return { key, limits, requestsToday, leftToday: remainingRequests(limits.perDay, requestsToday) };
  },
});

interface AccountUsageProps {
  readonly live: readonly KeyWithUsage[];
  /** The requests of all keys of the account together per day, including those of revoked and expired keys. */
  readonly dailyUsage: DailyUsage;
  readonly limits: Limits;
  /** The number of requests in the last 24 hours with an error (4xx or 5xx), or refused without being counted. */
  readonly notAnswered: number;
}

type AccountLimitsProps = Pick<AccountUsageProps, 'limits'> & Pick<KeyWithUsage, 'requestsToday'>;

function AccountLimits({ limits, requestsToday }: AccountLimitsProps) {
  if (limits.perMinute === null && limits.perDay === null) return null;
  const left = remainingRequests(limits.perDay, requestsToday);
  return (
    <p id="account-limits">
      Limit of all your keys together: {formatLimits(limits)}
      {left === null ? '' : `, of which ${formatCount(left)} left today`}.{' '}
      <a href={higherLimitsPath()}>Ask for higher limits</a>
    </p>
  );
}

export function AccountUsageSection({ live, dailyUsage, limits, notAnswered }: AccountUsageProps) {
  const usedUp = live.filter(({ leftToday }) => leftToday === 0);
  const requestsToday = dailyUsage.at(-1)?.requestCount ?? 0;
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      {totalOf(dailyUsage) + notAnswered === 0 ? (
        <p>
          No request in the last 30 days. <a href="/welcome">Send one in a minute</a>, or{' '}
          <a href="/reference">try an operation</a>.
        </p>
      ) : (
        <>
          <Figures
            figures={[
              ['Requests today (UTC)', formatCount(requestsToday)],
              ['Live keys', formatCount(live.length)],
              ['Keys without requests left today', formatCount(usedUp.length)],
              [
                'Without an answer in 24 hours',
                notAnswered === 0 ? (
                  '0'
                ) : (
                  <a href={withQuery(REQUESTS_PATH, { outcome: NOT_ANSWERED })}>{formatCount(notAnswered)}</a>
                ),
              ],
            ]}
          />
          <DailyUsageChart dailyUsage={dailyUsage} label="Requests of all your keys per day" />
        </>
      )}
      <AccountLimits limits={limits} requestsToday={requestsToday} />
    </section>
  );
}
