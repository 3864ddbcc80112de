import type { Row } from './figures.js';

/** One table of the benchmark. */
export interface Section {
  /** The key in the JSON file, and the name of the markers in Markdown. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}
