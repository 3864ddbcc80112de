import type { Row } from './figures.js';

/** One table of the benchmark. */
export interface Section {
  /** Its key in the JSON file, and between which markers it goes in Markdown. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}
