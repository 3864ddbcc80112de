import type { CliContext } from './cli-context.js';
import type { OpenedInstallation } from '../open-installation.js';

/** Runs a command's work on the opened installation and closes it, whatever happens. */
export async function withInstallation(
  context: CliContext,
  work: (installation: OpenedInstallation) => Promise<void>,
): Promise<void> {
  const installation = await context.openStorage();
  try {
    for (const warning of installation.warnings) context.stderr.write(`Warning: ${warning}\n`);
    await work(installation);
  } finally {
    await installation.storage.close();
  }
}
