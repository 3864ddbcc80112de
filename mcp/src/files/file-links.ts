/** A captured file for a caller on another machine. */
export interface LinkedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

/**
 * Keeps files for some minutes and returns their links, for callers without access to a folder of this machine. A file
 * can be opened only with its link.
 */
export interface FileLinks {
  readonly kind: 'links';
  /** Returns the link; undefined if the file is too large. */
  keep(file: LinkedFile): Promise<string | undefined>;
}
