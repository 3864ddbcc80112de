import type { Clock } from '../clock.js';
import type { RandomBytes } from '../random-bytes.js';
import type { OpenedInstallation } from '../open-installation.js';

/** What a command works with; nothing else of the process. */
export interface CliContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  openStorage(): Promise<OpenedInstallation>;
}
