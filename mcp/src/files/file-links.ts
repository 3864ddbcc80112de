/** A captured file for a caller elsewhere. */
export interface KeptFile {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Keeps files for some minutes under addresses that alone open them, for callers who reach no folder of this machine. */
export interface FileLinks {
  readonly kind: 'links';
  /** Answers the address; undefined for a file that is too large to be kept. */
  keep(file: KeptFile): Promise<string | undefined>;
}
