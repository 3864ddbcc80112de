import { formatDuration } from '@signpost/contract';
import { forgetDeletedAccounts } from '../accounts/deleted-accounts.js';
import { removeExpiredSessions } from '../accounts/sessions.js';
import { SERVER_ACTOR } from '../audit/audit.js';
import { removeOldEntries } from '../audit/retention.js';
import { removeExpiredFiles } from '../files/linked-files.js';
import { removeEndedLinks } from '../links/link-captures.js';
import type { Notifications } from '../mail/notifications.js';
import { cleanConnections } from '../oauth/oauth.js';
import type { Log } from '../platform/log.js';
import { repeatAll, type RepeatingJob, type Repetition, type StartTimer } from '../platform/repeat.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';
import { sendAlerts } from '../usage/limit-alerts.js';
import type { RequestRecorder } from '../usage/request-recorder.js';
import { readCountedHours, removeOldUsage } from '../usage/usage-history.js';
import type { Core } from './core.js';

type JobsCore = Pick<Core, 'audit' | 'captureCaches' | 'recorder'> & {
  readonly installation: Pick<Core['installation'], 'storage' | 'clock'>;
};

/**
 * Sums all counts by minute again, because killed servers may have left some out. If that succeeds, removes old usage.
 */
async function sumAndRemoveOldUsage(db: Database, nowMs: number, recorder: RequestRecorder): Promise<void> {
  for (const [hour, keyIds] of await readCountedHours(db)) recorder.addUnsummed(hour, keyIds);
  if (await recorder.sum()) await removeOldUsage(db, nowMs);
}

/** The repeating jobs, each under a name that completes "Could not …". */
function repeatingJobs(
  { installation, audit, captureCaches, recorder }: JobsCore,
  notifications: Pick<Notifications, 'isOn' | 'limits'>,
): Map<string, RepeatingJob> {
  const { storage, clock } = installation;
  const { db } = storage;
  const jobs = new Map<string, RepeatingJob>([
    ['store the outcomes of requests', { everyMs: SECOND_MS, run: () => recorder.store() }],
    ['sum the outcomes of requests', { everyMs: MINUTE_MS, run: () => recorder.sum() }],
    ['remove old usage', { everyMs: HOUR_MS, run: () => sumAndRemoveOldUsage(db, clock(), recorder) }],
    ['remove old audit entries', { everyMs: DAY_MS, run: () => removeOldEntries(db, clock()) }],
    ['remove expired sessions', { everyMs: HOUR_MS, run: () => removeExpiredSessions({ db, clock }) }],
    ['remove expired files', { everyMs: MINUTE_MS, run: () => removeExpiredFiles(db, clock()) }],
    ['remove ended links', { everyMs: MINUTE_MS, run: () => removeEndedLinks(db, clock()) }],
    [
      'remove ended connections',
      { everyMs: HOUR_MS, run: () => cleanConnections({ db, clock, audit, actor: SERVER_ACTOR }) },
    ],
    [
      'forget deleted accounts',
      { everyMs: MINUTE_MS, run: () => forgetDeletedAccounts(db, Object.values(captureCaches)) },
    ],
  ]);
  if (notifications.isOn)
    jobs.set('mail owners about their limits', {
      everyMs: MINUTE_MS,
      run: () => sendAlerts(db, clock(), (email, alerts) => notifications.limits(email, alerts)),
    });
  return jobs;
}

/** Starts the repeating jobs of a server. Failures are logged. */
export const startRepeatingJobs = (
  core: JobsCore,
  notifications: Pick<Notifications, 'isOn' | 'limits'>,
  log: Log,
  startTimer?: StartTimer,
): Repetition =>
  repeatAll(
    repeatingJobs(core, notifications),
    (name, { everyMs }, error) =>
      log.warn({ err: error }, `Could not ${name}. Trying again in ${formatDuration(everyMs / SECOND_MS)}.`),
    startTimer,
  );
