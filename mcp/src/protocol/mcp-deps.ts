import type { Backend } from '../client/backend.js';
import type { OutputFolder } from '../files/output-folder.js';

/** What a connection of a client is served from. */
export interface McpDeps {
  readonly backend: Backend;
  /** The same without waiting for limits, for who is typing. */
  readonly directBackend: Backend;
  /** Where captures are saved; undefined where the client could not reach the files. */
  readonly files: OutputFolder | undefined;
  /** What is known of the postcode directory that answers. */
  readonly directory: () => Readonly<Record<string, unknown>>;
  /** Takes what went wrong and was not foreseen; never standard output, which the protocol may use. */
  readonly log: (message: string) => void;
}
