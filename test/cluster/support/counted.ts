import pg from 'pg';

/** The requests counted for one key, read directly from the database. */
export interface Counted {
  readonly total: number;
  /** Requests by the number of the minute since the epoch, and below by that of the day. */
  readonly ofMinute: ReadonlyMap<number, number>;
  readonly ofDay: ReadonlyMap<number, number>;
}

interface MinuteRow {
  readonly minute: number;
  readonly requests: number;
}

interface DayRow extends MinuteRow {
  readonly day: number;
  readonly minute_requests: number;
}

/** The rows that a statement returns, read directly from the database. */
export async function rowsIn<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(sql, [...values]);
  await client.end();
  return rows;
}

/** Milliseconds since the epoch by the database's clock. */
export async function databaseTimeMs(url: string): Promise<number> {
  const [row] = await rowsIn<{ now: Date }>(url, 'SELECT clock_timestamp() AS now');
  return row?.now.getTime() ?? NaN;
}

/** Reads the counts of the key with this prefix. */
export async function readCounted(databaseUrl: string, prefix: string): Promise<Counted> {
  const ofKey = 'WHERE key_id = (SELECT id FROM api_keys WHERE prefix = $1)';
  const days = await rowsIn<DayRow>(databaseUrl, `SELECT * FROM usage_days ${ofKey}`, [prefix]);
  const minutes = await rowsIn<MinuteRow>(databaseUrl, `SELECT * FROM usage_minutes ${ofKey}`, [prefix]);
  return {
    total: days.reduce((sum, { requests }) => sum + requests, 0),
    ofDay: new Map(days.map(({ day, requests }) => [day, requests])),
    // The current minute is stored with the day, earlier ones in the history.
    ofMinute: new Map(
      [...minutes, ...days.map((day) => ({ minute: day.minute, requests: day.minute_requests }))].map(
        ({ minute, requests }) => [minute, requests],
      ),
    ),
  };
}
