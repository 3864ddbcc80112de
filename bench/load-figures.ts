/** What is sent, over and over. */
export interface Load {
  readonly url: string;
  /** The same on further servers: each gets an equal share of the connections. */
  readonly alsoAt?: readonly string[];
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** For each address, the API keys that the requests to it carry in turn. */
  readonly keys?: readonly (readonly string[])[];
  readonly body?: string;
  /** What is asked in turn, below the address, in place of it and of the body. */
  readonly requests?: readonly { readonly path: string; readonly body?: string }[];
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The addresses that a load goes to. */
export const addressesOf = ({ url, alsoAt = [] }: Load): readonly string[] => [url, ...alsoAt];
