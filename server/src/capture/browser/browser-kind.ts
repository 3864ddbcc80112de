/**
 * The kinds of browsers. A capture needs a browser of one kind. On this machine, each kind has processes of its own.
 *
 * - `plain`: a page and its frames share one process.
 * - `isolated`: frames of other sites run in other processes, so captures take longer. For captures that carry
 *   credentials.
 * - `steps`: like `isolated`, for captures with steps (clicks, typing and so on). Playwright listens to the pages of
 *   these captures, and a page that reports much would slow down other captures.
 */
export type BrowserKind = 'plain' | 'isolated' | 'steps';

/** An object with one value for each kind, all made by the same function. */
export const forEachKind = <Value>(make: (kind: BrowserKind) => Value): Record<BrowserKind, Value> => ({
  plain: make('plain'),
  isolated: make('isolated'),
  steps: make('steps'),
});

/**
 * Whether frames of other sites certainly run in other processes. `kind` is undefined for a remote browser, whose
 * flags are not known.
 */
export const isolatesSites = (kind: BrowserKind | undefined): boolean =>
  kind !== undefined && kind !== 'plain';
