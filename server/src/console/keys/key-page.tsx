import { limitsInForce, readKeyUsage, remainingOf } from '../../usage/read-key-usage.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import type { Pages } from '../pages.js';
import { KeyFacts } from './key-facts.js';
import { KeyFigures } from './key-figures.js';
import { keyPath } from './key-path.js';
import { KeyState } from './key-state.js';
import { requireOwnKey } from './require-own-key.js';

/** GET /keys/:keyId: what one key has been used for, and its limits. */
export function addKeyPage(pages: Pages): void {
  const { db, clock, defaultLimits } = pages.parts;

  pages.signedIn('GET', '/keys/:keyId', async (visit) => {
    const key = await requireOwnKey(db, visit);
    const usage = await readKeyUsage(db, key.id, clock());
    const limits = limitsInForce(key, defaultLimits);
    const leftToday = remainingOf(limits, usage).perDay;
    const isRevoked = key.revokedAtMs !== null;
    return visit.page(
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
            <a class="button secondary" href={`${keyPath(key.id)}/revoke`}>
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
        </section>
        <section class="card" aria-labelledby="about">
          <h2 id="about">About this key</h2>
          <KeyFacts ownKey={key} limits={limits} />
        </section>
      </>,
    );
  });
}
