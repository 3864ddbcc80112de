/**
 * The kinds of browsers, one of which takes a capture. Each has processes of its own.
 *
 * - `plain`: a page and its frames share one process.
 * - `isolated`: frames of other sites run in other processes, for captures that carry credentials. Slower by a third,
 *   or by twice for a page with four such frames.
 */
export type BrowserKind = 'plain' | 'isolated';

/** The value of each kind, made by the same function. */
export const forEachKind = <Value>(make: (kind: BrowserKind) => Value): Record<BrowserKind, Value> => ({
  plain: make('plain'),
  isolated: make('isolated'),
});
