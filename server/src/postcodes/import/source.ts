/** A file that can be read, on its own or in an archive. */
export interface SourceFile {
  /** Path in the archive, or the name of the file itself. */
  readonly name: string;
  /** As the archive or the file system says. */
  readonly bytes: number;
  /** Its bytes; what is wrong with them is said by an ImportError. */
  open(): Promise<AsyncIterable<unknown>>;
}

export interface Source {
  readonly files: readonly SourceFile[];
  close(): void;
}
