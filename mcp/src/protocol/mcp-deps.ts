import type { Backend } from '../client/backend.js';
import type { FileLinks } from '../files/file-links.js';
import type { OutputFolder } from '../files/output-folder.js';

/** What a connection of a client is served from. */
export interface McpDeps {
  readonly backend: Backend;
  /** The same without waiting for limits, for who is typing. */
  readonly directBackend: Backend;
  /** How captured files come to the caller: in a folder of this machine, or under addresses. */
  readonly files: OutputFolder | FileLinks;
  /** What is known of the postcode directory that answers. */
  readonly directory: () => Readonly<Record<string, unknown>>;
  /** Takes what went wrong and was not foreseen; never standard output, which the protocol may use. */
  readonly log: (message: string) => void;
}
