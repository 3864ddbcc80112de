import type { PageSessions } from './page-sessions.js';
import type { ProtocolSession } from './protocol/session.js';

/** Matches the process id at the beginning of a search's id: 2345 in "2345.1". */
const PROCESS_OF_SEARCH = /^(\d+)\./u;

/**
 * Finds the process of a document, which the protocol does not report: starts a search, whose id begins with the id of
 * the process. The searched text does not matter.
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
 * Collects the ids of the processes in which a page and its frames run. A process is known before its document runs,
 * except after a navigation to another site: then it becomes known once the new document is there. This function does
 * not remove processes that have ended from the set.
 */
export function followRenderers(sessions: PageSessions): Set<number> {
  const pids = new Set<number>();
  const ask = (session: ProtocolSession) => {
    processOf(session).then(
      (pid) => pid !== undefined && pids.add(pid),
      () => undefined,
    );
  };
  sessions.onSession((session, frameId) => {
    ask(session);
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === frameId) ask(session);
    });
  });
  return pids;
}
