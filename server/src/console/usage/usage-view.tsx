import type { ComponentChildren } from 'preact';
import type { PeriodUsage } from '../../usage/read-counts.js';
import { LiveRegion } from '../layout/live-region.js';
import type { SignedInContext } from '../routing/page-context.js';
import { keysToChoose } from './key-choice.js';
import {
  AboutFigures,
  type LogPath,
  PeriodChart,
  PeriodLinks,
  UsageFigures,
  UsageFilters,
} from './usage-parts.js';
import { readUsageQuery, chosenPeriod, topLists, type UsageQuery } from './usage-query.js';

/**
 * Reads the query of a usage page, the usage that it asks for, and the keys to choose from. `accountOf` returns the id
 * of the account; undefined for all accounts.
 */
export async function readUsage(
  { deps, domain, request }: SignedInContext,
  path: string,
  accountOf: (query: UsageQuery) => Promise<string | undefined> | string,
) {
  const nowMs = domain.clock();
  const query = readUsageQuery(request.query, nowMs);
  const lists = topLists(path, query);
  const { project, key, operation } = query;
  const filter = {
    accountId: await accountOf(query),
    projectId: project || undefined,
    keyId: key === '' ? undefined : Number(key),
    operation: operation || undefined,
  };
  const [usage, keys] = await Promise.all([
    deps.history.ofPeriod(chosenPeriod(query, nowMs), filter, lists.pages),
    keysToChoose(domain, filter, key),
  ]);
  return { query, lists, usage, keys };
}

interface UsageViewProps {
  readonly path: string;
  readonly query: UsageQuery;
  readonly usage: PeriodUsage;
  readonly filters: ComponentChildren;
  readonly advice: ComponentChildren;
  readonly logPath?: LogPath | undefined;
  readonly children: ComponentChildren;
}

/** The outcomes of requests: the choice of time and filters, figures, a chart and tables. */
export const UsageView = ({ path, query, usage, filters, advice, logPath, children }: UsageViewProps) => (
  <>
    <div class="page-head">
      <h1>Usage</h1>
    </div>
    <PeriodLinks path={path} query={query} />
    <UsageFilters path={path} query={query}>
      {filters}
    </UsageFilters>
    <LiveRegion>
      {usage.operations.length === 0 ? (
        <p class="card">No request matches. {advice}</p>
      ) : (
        <>
          <UsageFigures counts={usage.all} logPath={logPath} />
          <PeriodChart usage={usage} logPath={logPath} />
          {children}
        </>
      )}
    </LiveRegion>
    <AboutFigures />
  </>
);
