import { lockInstallation } from '../storage/lock-installation.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** Keeps the public address of the server that runs, for commands whose environment may be another. */
export async function storeIssuer(db: Database, issuer: string): Promise<void> {
  await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).update({ issuer });
}

/** The public address of the server that started last; undefined where none has. */
export async function readIssuer(db: Database): Promise<string | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first('issuer');
  return row?.issuer ?? undefined;
}

/** The address of the server that was the first to say its own; of servers that start at once, of one of them. */
export async function agreeOnIssuer(db: Database, ownUrl: string): Promise<string> {
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    const agreed = await readIssuer(transaction);
    if (agreed === undefined) await storeIssuer(transaction, ownUrl);
    return agreed ?? ownUrl;
  });
}
