import type { TableShape, Values } from './table-shape.js';

/** Some rows of one table. */
export interface RowBatch {
  readonly table: TableShape;
  readonly rows: readonly Values[];
}

/** The rows of one moment, wherever they lie: a database or a file. */
export interface RowSource {
  /** In the order in which their rows come. */
  readonly tables: readonly TableShape[];
  /** The highest number that an API key ever had, those that are gone included. */
  readonly highestKeyId: number;
  /** All rows, table by table; may be called more than once. */
  batches(): AsyncIterable<RowBatch>;
}
