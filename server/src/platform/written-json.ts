/** JSON as bytes over which their writer writes its next answer, unless they are kept. */
export interface LentJson {
  readonly bytes: Buffer;
  /** Leaves the bytes to whoever has them: the writer takes others for its next answer. */
  readonly keep: () => void;
}

/** An answer as JSON: a text, or where it is long the bytes themselves, since making a text of them takes longer. */
export type WrittenJson = string | LentJson;

export const textOf = (json: WrittenJson): string =>
  typeof json === 'string' ? json : json.bytes.toString();
