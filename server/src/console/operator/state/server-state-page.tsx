import { listAccountSummaries } from '../../../accounts/account-summaries.js';
import { listReturnUrls } from '../../../tokens/return-urls.js';
import { readOverallUsage } from '../../../usage/read-key-usage.js';
import type { Pages } from '../../pages.js';
import { OperatorTabs } from '../operator-tabs.js';
import { CaptureCard } from './capture-card.js';
import { DirectoryCard } from './directory-card.js';
import { ServerCard } from './server-card.js';
import { StateWarnings } from './state-warnings.js';
import { UsageSection } from './usage-section.js';

/** GET /operator: the state of the server at a glance. */
export function addServerStatePage(pages: Pages): void {
  const { parts } = pages;
  const { db, clock, directories, capture } = parts;

  pages.operator('GET', '/operator', async (visit) => {
    const [usage, { total: accountCount }, returnUrls] = await Promise.all([
      readOverallUsage(db, clock()),
      listAccountSummaries(db, { offset: 0, limit: 1 }),
      listReturnUrls(db),
    ]);
    const directory = directories.current().info;
    const captures = capture.state();
    return visit.page(
      { title: 'This server' },
      <>
        <OperatorTabs />
        <h1>This server</h1>
        <StateWarnings
          directory={directory}
          browser={captures.browser}
          isProxyIgnored={parts.isProxyIgnored()}
        />
        <UsageSection usage={usage} />
        <ul class="cards operator-cards">
          <DirectoryCard info={directory} />
          <CaptureCard state={captures} />
          <ServerCard parts={parts} accountCount={accountCount} returnUrlCount={returnUrls.length} />
        </ul>
      </>,
    );
  });
}
