import type { Backend } from '../client/backend.js';
import type { FileLinks } from '../files/file-links.js';
import type { OutputFolder } from '../files/output-folder.js';

/** The dependencies of the server of one connection. */
export interface McpDeps {
  readonly backend: Backend;
  /** The same without waiting for limits, for completions while a person types. */
  readonly directBackend: Backend;
  /** The target of captured files: a folder of this machine, or links. */
  readonly files: OutputFolder | FileLinks;
  /** Details of the postcode directory in use. */
  readonly directory: () => Readonly<Record<string, unknown>>;
  /** Logs an unexpected error. Never to standard output, which the protocol may use. */
  readonly log: (message: string) => void;
}
