/** Statements that are prepared once and run many times, for the few that every request needs. */
export interface PreparedQueries {
  /** Runs a statement whose values stand as question marks. */
  all<Row>(sql: string, bindings: readonly (number | string)[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}
