import { INSTALLATION_ID, type InstallationRow } from './rows.js';
import type { Database } from './storage.js';

/** Makes other transactions that call this wait until this one ends; first in it, before anything is read. */
export async function lockInstallation(transaction: Database): Promise<void> {
  await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .update({ id: INSTALLATION_ID });
}
