import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.js';
import { errorCode } from '../../platform/errors.js';
import { ImportError } from './refusals.js';
import { PARTIAL_SUFFIX } from '../file/directory-folder.js';

const LOCK = 'import.lock';
const MAX_TRIES = 5;

const holder = z.object({
  token: z.string(),
  pid: z.int().positive(),
  /** When the process began, as its system tells it; null where that cannot be told. */
  processStart: z.string().nullable(),
  host: z.string(),
  since: z.string(),
  source: z.string(),
});
type Holder = z.output<typeof holder>;

/** Tells a process from a later one with the same number: Linux keeps the start of each. */
async function processStart(pid: number): Promise<string | null> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

async function isAlive({ pid, processStart: started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  const start = await processStart(pid);
  return started === null || start === null || started === start;
}

async function readHolder(path: string): Promise<Holder | 'gone' | 'unreadable'> {
  try {
    return holder.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

const refusal = (other: Holder, path: string) => {
  const elsewhere =
    other.host === hostname() ? '' : ` If that importer no longer runs, remove ${path} and try again.`;
  return new ImportError(
    `Another import is under way: process ${other.pid} on ${other.host}, since ${other.since}, importing ${other.source}.${elsewhere}`,
  );
};

export interface ImportLock {
  /** Throws an ImportError where another importer has taken over. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the right to import into a folder. Throws an ImportError that says who has it; the lock of a process
 * that is dead is taken over. A lock appears whole, by a link, so that nobody ever reads half of one.
 */
export async function acquireImportLock(folder: string, source: string, clock: Clock): Promise<ImportLock> {
  const path = join(folder, LOCK);
  const mine: Holder = {
    token: randomUUID(),
    pid: process.pid,
    processStart: await processStart(process.pid),
    host: hostname(),
    since: new Date(clock()).toISOString(),
    source,
  };
  const draft = join(folder, `lock-${mine.token}${PARTIAL_SUFFIX}`);
  try {
    await writeFile(draft, JSON.stringify(mine), { flag: 'wx' });
    for (let tries = 1; ; tries += 1) {
      try {
        await link(draft, path);
        break;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST' || tries === MAX_TRIES) throw error;
      }
      await clearDeadLock(path, join(folder, `lock-${mine.token}-dead${PARTIAL_SUFFIX}`));
    }
  } finally {
    await rm(draft, { force: true });
  }

  const isHeld = async () => {
    const current = await readHolder(path);
    return typeof current === 'object' && current.token === mine.token;
  };
  return {
    assertHeld: async () => {
      if (!(await isHeld()))
        throw new ImportError('Another import has taken over; this one has changed nothing.');
    },
    release: async () => {
      if (await isHeld()) await rm(path, { force: true });
    },
  };
}

/** Moves the lock of a dead process out of the way; throws where its holder lives or cannot be asked. */
async function clearDeadLock(path: string, aside: string): Promise<void> {
  const seen = await readHolder(path);
  if (seen === 'gone') return;
  if (seen !== 'unreadable' && (seen.host !== hostname() || (await isAlive(seen)))) throw refusal(seen, path);
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  // Somebody else may have cleared it first and taken it: what was moved is then theirs, and goes back.
  const moved = await readHolder(aside);
  const isTheirs = typeof moved === 'object' && (typeof seen !== 'object' || moved.token !== seen.token);
  if (isTheirs) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  if (isTheirs) throw refusal(moved, path);
}
