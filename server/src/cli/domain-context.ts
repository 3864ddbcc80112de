import { PasswordHasher } from '../accounts/password.js';
import type { OpenedInstallation } from '../app/open-installation.js';
import { type AuditedAct, CLI_ACTOR, createAudit } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import { createThrottle } from '../throttle/throttle.js';
import { type CliContext, withInstallation } from './cli-context.js';

/** The dependencies of the domain's functions, with the command line as the actor. */
export function openDomain(
  context: CliContext,
  { storage, clock, keyPepper, keyEncryptionKey }: OpenedInstallation,
) {
  const { db } = storage;
  const { randomBytes, passwordCost } = context;
  return {
    db,
    clock,
    randomBytes,
    keyPepper,
    keyEncryptionKey,
    actor: CLI_ACTOR,
    audit: createAudit({ clock, randomBytes }),
    throttle: createThrottle({ db, clock }),
    passwordHasher: new PasswordHasher(passwordCost),
  };
}

/**
 * Records in the audit an act outside the database that cannot be undone, such as a file that was written. If that
 * fails, the command has still done its work, so this prints only a warning that the audit does not know about it.
 */
export async function recordAfterwards(context: CliContext, act: AuditedAct): Promise<void> {
  try {
    await withInstallation(context, ({ storage, clock }) =>
      createAudit({ ...context, clock }).record(storage.db, CLI_ACTOR, act),
    );
  } catch (error) {
    const reason = error instanceof ServiceError ? error.message : 'The database cannot be written.';
    context.stderr.write(`Warning: The audit has no entry for this. ${reason}\n`);
  }
}
