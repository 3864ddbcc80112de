import type { Backend } from '../client/backend.js';
import type { FileLinks } from '../files/file-links.js';
import type { OutputFolder } from '../files/output-folder.js';

/** The dependencies of the MCP server of one connection. */
export interface McpDeps {
  readonly backend: Backend;
  /** The same backend without waiting for limits, for completions while a person types. */
  readonly directBackend: Backend;
  /** Saves captured files to a folder of this machine, or keeps them for links. */
  readonly files: OutputFolder | FileLinks;
  /** The content of the resource `signpost://directory`. */
  readonly directory: () => Readonly<Record<string, unknown>>;
  /** Logs an unexpected error. Must not write to standard output, which may carry the protocol. */
  readonly log: (message: string) => void;
}
