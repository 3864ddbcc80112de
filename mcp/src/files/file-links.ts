/** A captured file to be kept for a link. */
export interface LinkedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Keeps files for some minutes at most. A file can be opened only with its link. */
export interface FileLinks {
  readonly kind: 'links';
  /** Returns the link; undefined if the file is too large. */
  keep(file: LinkedFile): Promise<string | undefined>;
}
