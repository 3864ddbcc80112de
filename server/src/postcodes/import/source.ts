import type { Readable } from 'node:stream';

/** A file that can be read, on its own or in an archive. */
export interface SourceFile {
  /** Path in the archive, or the name of the file itself. */
  readonly name: string;
  readonly bytes: number;
  open(): Promise<Readable>;
}

export interface Source {
  readonly files: readonly SourceFile[];
  close(): void;
}
