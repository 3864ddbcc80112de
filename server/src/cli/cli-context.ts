import type { OpenedInstallation } from '../app/open-installation.js';
import type { PasswordCost } from '../accounts/password.js';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';

/** What a command works with; nothing else of the process. */
export interface CliContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** What hashing a password costs, where it is not as usual. */
  readonly passwordCost?: PasswordCost | undefined;
  openStorage(): Promise<OpenedInstallation>;
}

/** What commands need that print addresses. */
export interface AddressContext extends CliContext {
  /** The public address that a server with this configuration has, which counts where none has run yet. */
  issuer(): string;
}

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
