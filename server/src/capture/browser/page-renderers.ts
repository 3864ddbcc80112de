import type { PageSessions } from './page-sessions.js';
import type { ProtocolSession } from './protocol/session.js';

/** A search is named after the process that does it, such as "2345.1". */
const PROCESS_OF_SEARCH = /^(\d+)\./u;

/**
 * The protocol does not say in which process a document is, but names of its own do. What is searched for does not matter.
 */
async function processOf(session: ProtocolSession): Promise<number | undefined> {
  const [, { searchId }] = await Promise.all([
    session.send('DOM.enable'),
    session.send('DOM.performSearch', { query: '-' }),
    session.send('DOM.disable'),
  ]);
  const pid = PROCESS_OF_SEARCH.exec(searchId)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Follows in which processes a page and its frames are. Each is known before its document runs, except that a page that
 * leads to another site is asked when it arrives there. Processes that have ended stay in the set.
 */
export function followRenderers(sessions: PageSessions): Set<number> {
  const pids = new Set<number>();
  const ask = (session: ProtocolSession) => {
    processOf(session).then(
      (pid) => pid !== undefined && pids.add(pid),
      () => undefined,
    );
  };
  sessions.each((session, frameId) => {
    ask(session);
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === frameId) ask(session);
    });
  });
  return pids;
}
