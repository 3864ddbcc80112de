import type { OpenedInstallation } from '../app/open-installation.js';
import type { PasswordCost } from '../accounts/password.js';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';

/** What all commands may use: the process's input and output, a clock, random bytes and the installation. */
export interface CliContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** The cost of hashing a password, if not the default. */
  readonly passwordCost?: PasswordCost | undefined;
  openStorage(): Promise<OpenedInstallation>;
}

/** The context of commands that print addresses. */
export interface AddressContext extends CliContext {
  /**
   * The public address of a server with the configuration of this command. Used if the database has none, because no
   * server has run yet.
   */
  issuer(): string;
  /** Opens the mail of a server with this configuration and this public address. */
  openMail(publicUrl: string): Promise<CommandMail>;
}

/** Mail that a command sends. */
export interface CommandMail {
  /** Mails a link. Returns whether it was sent; undefined if no mail is configured, or none reaches the address. */
  link(
    to: string,
    link: { readonly url: string; readonly kind: 'invitation' | 'reset' },
  ): Promise<boolean | undefined>;
  close(): Promise<void>;
}

/** Opens the installation, prints its warnings, runs the work of a command, and always closes the installation. */
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
