import type { DirectoryInfo } from '../directory-info.js';
import type { ByNameColumn } from '../name-columns.js';

/** What an import has come to. */
export interface ImportReport {
  readonly info: DirectoryInfo;
  /** Rows that gave way to a later row with the same postcode. */
  readonly duplicates: number;
  /** How many distinct codes of each column no table of names has words for. */
  readonly unknownCodes: ByNameColumn<number>;
  /** In what it is much worse than the directory before, where that was overruled. */
  readonly muchWorse: readonly string[];
  readonly seconds: number;
}

export interface ImportProgress {
  readonly phase: 'download' | 'read' | 'write';
  readonly doneBytes: number;
  /** Undefined where it is not known. */
  readonly totalBytes: number | undefined;
}
