/** What to send over and over: one request, or several in turn. */
export interface Load {
  readonly url: string;
  /** More servers for the same request. Each gets an equal share of the connections. */
  readonly alsoAt?: readonly string[];
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /**
   * API keys to use in turn: a list for each address of `addressesOf`, in the same order. Not to be set together with
   * `requests`.
   */
  readonly keys?: readonly (readonly string[])[];
  readonly body?: string;
  /** Paths and bodies to use in turn instead of the `url` path and `body`. */
  readonly requests?: readonly { readonly path: string; readonly body?: string }[];
  /** How many requests each server gets in a second. If unset, as many as it answers. */
  readonly ratePerSecond?: number | undefined;
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** All addresses that a load is sent to. */
export const addressesOf = ({ url, alsoAt = [] }: Load): readonly string[] => [url, ...alsoAt];
