import { type Command, InvalidArgumentError } from 'commander';
import { MINUTE_MS } from '../platform/time-units.js';
import { AUDIT_KINDS, isAuditKind } from '../audit/kinds.js';
import { type AuditEntry, listEntries, type NamedAccount } from '../audit/read-audit.js';
import type { Database } from '../storage/storage.js';
import { JSON_OPTION, parseDuration, parseTime, WIDE_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { formatTime, isoTime, print, fittingTable } from './output.js';

const MAX_ENTRIES = 1_000;
const FOLLOW_INTERVAL_MS = 1_000;
/**
 * How long after its time an entry may still appear: the clocks of servers differ, and a transaction may take long.
 */
const LATE_MS = MINUTE_MS;

export interface AuditContext extends CliContext {
  pause(ms: number): Promise<unknown>;
}

interface AuditOptions {
  /** Only entries since this moment: a number of milliseconds before now, or a fixed time. */
  readonly since?: { readonly agoMs: number } | { readonly atMs: number };
  readonly follow?: boolean;
  readonly wide?: boolean;
  readonly json?: boolean;
}

/**
 * Parses a time such as 2026-01-31 or 2026-01-31T08:00Z, or a duration before now such as 24h. Throws an
 * InvalidArgumentError for any other text.
 */
function sinceArgument(text: string): AuditOptions['since'] {
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return { agoMs };
  const atMs = parseTime(text);
  if (atMs !== undefined) return { atMs };
  throw new InvalidArgumentError(
    'Give a time such as 2026-01-31 or 2026-01-31T08:00Z, or how long ago, such as 30m, 24h or 7d.',
  );
}

/** The fields of an entry in JSON output. */
const entryJson = ({ id, atMs, ...entry }: AuditEntry) => ({ id, at: isoTime(atMs), ...entry });

const accountText = (account: NamedAccount | null) =>
  account === null ? '-' : (account.email ?? account.id);

const HEADINGS = ['TIME', 'WHAT', 'BY', 'VIA', 'FROM', 'ACCOUNT', 'DETAIL'];

const entryCells = ({ atMs, kind, actor, via, address, subject, detail }: AuditEntry): string[] => [
  formatTime(atMs),
  isAuditKind(kind) ? AUDIT_KINDS[kind] : kind,
  accountText(actor),
  via,
  address ?? '-',
  accountText(subject),
  detail ?? '-',
];

const readOldestFirst = async (db: Database, sinceMs: number | undefined) =>
  (await listEntries(db, { sinceMs, limit: MAX_ENTRIES })).reverse();

/** Prints new entries as they come, none from before `sinceMs`, until the process ends. */
async function follow(
  context: AuditContext,
  db: Database,
  printed: readonly AuditEntry[],
  sinceMs: number | undefined,
) {
  let lastMs = printed.at(-1)?.atMs ?? 0;
  let printedIds = new Set(printed.map(({ id }) => id));
  for (;;) {
    await context.pause(FOLLOW_INTERVAL_MS);
    const recent = await readOldestFirst(db, Math.max(lastMs - LATE_MS, sinceMs ?? 0));
    for (const entry of recent) {
      if (!printedIds.has(entry.id)) context.stdout.write(`${entryCells(entry).join('  ')}\n`);
    }
    printedIds = new Set(recent.map(({ id }) => id));
    lastMs = recent.at(-1)?.atMs ?? lastMs;
  }
}

/** Adds `signpost audit`. */
export function registerAuditCommand(program: Command, context: AuditContext): void {
  program
    .command('audit')
    .summary('who did what, when, from where')
    .description(
      'Print who did what, when, and from where: the last 1,000 entries, newest last. Entries are kept for 400 days. A deleted account appears as its identifier.',
    )
    .option(
      '--since <time>',
      'only entries since this time: 2026-01-31, 2026-01-31T08:00Z, or 24h for the last 24 hours',
      sinceArgument,
    )
    .option('--follow', 'keep printing new entries')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ signpost audit --since 24h\n  $ signpost audit --follow\n' +
        '  $ signpost audit --since 2026-01-31 --json',
    )
    .action((options: AuditOptions, command: Command) => {
      const { since, json } = options;
      if (options.follow === true && json === true) {
        command.error('error: --json prints one document: leave out --follow or --json');
      }
      return withInstallation(context, async ({ storage, clock }) => {
        const sinceMs = since && ('agoMs' in since ? clock() - since.agoMs : since.atMs);
        const entries = await readOldestFirst(storage.db, sinceMs);
        const message =
          entries.length === 0
            ? 'No entries.\n'
            : fittingTable(context.stdout, HEADINGS, entries.map(entryCells), options);
        print(context, json, entries.map(entryJson), message);
        if (options.follow === true) await follow(context, storage.db, entries, sinceMs);
      });
    });
}
