import type { Dialect } from '../storage/storage.js';
import { functionsOf } from './account-admissions.js';
import { ALL_KEYS, LOGGED_OF_KEY, OUTCOMES } from './recorded-request.js';
import { TIME_RANGES, timeColumn } from './response-times.js';

/** SQL: the entries of a list that is passed as JSON, so that one prepared statement accepts any number of them. */
const listed = (dialect: Dialect, name = 'sent') =>
  dialect === 'sqlite' ? `json_each(?) AS ${name}` : `json_array_elements(CAST(? AS json)) AS ${name}(value)`;

const sent = (index: number, type: string) => `CAST(sent.value ->> ${index} AS ${type})`;

const KEY_COLUMNS = ['span_minutes', 'start_minute', 'key_id', 'operation', 'outcome'];
const ADDED_COLUMNS = ['requests', ...Array.from({ length: TIME_RANGES }, (_, range) => timeColumn(range))];

/**
 * The statement that adds counts. Its parameter is a JSON list of counts, each a list of the values of the columns, in
 * order. The rows are sorted by primary key, so that servers that store at the same time do not deadlock. Counts of API
 * keys that were deleted meanwhile are dropped.
 */
export function addCountsSql(dialect: Dialect): string {
  const typeOf = (column: string) => (['operation', 'outcome'].includes(column) ? 'TEXT' : 'INTEGER');
  const columns = [...KEY_COLUMNS, ...ADDED_COLUMNS];
  return `
    INSERT INTO usage_counts AS c (${columns.join(', ')})
    SELECT ${columns.map((column, index) => sent(index, typeOf(column))).join(', ')}
    FROM ${listed(dialect)} LEFT JOIN api_keys k ON k.id = ${sent(2, 'INTEGER')}
    WHERE k.id IS NOT NULL OR ${sent(2, 'INTEGER')} = ${ALL_KEYS} ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
      ${ADDED_COLUMNS.map((column) => `${column} = c.${column} + excluded.${column}`).join(', ')}`;
}

/**
 * The statement that sums the counts of some keys from shorter spans into a longer one: from minutes into their
 * hour, or from hours into their day. It may run any number of times, on several servers at once: a sum only
 * replaces a smaller one. Parameters: the longer span and its start, the keys and the starts of the shorter spans as
 * JSON, and the shorter span.
 */
export function sumCountsSql(dialect: Dialect): string {
  const [, greatest] = functionsOf(dialect);
  const valueOf = (name: string) =>
    dialect === 'sqlite' ? `${name}.value` : `CAST(${name}.value #>> '{}' AS INTEGER)`;
  return `
    INSERT INTO usage_counts AS c (${[...KEY_COLUMNS, ...ADDED_COLUMNS].join(', ')})
    SELECT CAST(? AS INTEGER), CAST(? AS INTEGER), s.key_id, s.operation, s.outcome,
      ${ADDED_COLUMNS.map((column) => `SUM(s.${column})`).join(', ')}
    FROM ${listed(dialect, 'keys')} CROSS JOIN ${listed(dialect, 'starts')} CROSS JOIN usage_counts AS s
    WHERE s.span_minutes = CAST(? AS INTEGER) AND s.start_minute = ${valueOf('starts')}
      AND s.key_id = ${valueOf('keys')}
    GROUP BY s.key_id, s.operation, s.outcome ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
      ${ADDED_COLUMNS.map((column) => `${column} = ${greatest}(c.${column}, excluded.${column})`).join(', ')}`;
}

/**
 * The statement that adds rows to the log. Its parameter is a JSON list of rows, each a list of key, id, time, number
 * of requests, entries, outcome and, if any request was for a page, the page addresses, which are stored only if the
 * account wants them.
 */
export const addLogSql = (dialect: Dialect): string => `
    INSERT INTO request_log (key_id, id, at, requests, entries, outcome, pages)
    SELECT k.id, ${sent(1, 'TEXT')}, ${sent(2, 'BIGINT')}, ${sent(3, 'INTEGER')}, ${sent(4, 'TEXT')}, ${sent(5, 'TEXT')},
      CASE WHEN ${sent(6, 'TEXT')} IS NOT NULL AND (
        SELECT a.logs_pages FROM projects p JOIN accounts a ON a.id = p.account_id WHERE p.id = k.project_id
      ) THEN ${sent(6, 'TEXT')} END
    FROM ${listed(dialect)} JOIN api_keys k ON k.id = ${sent(0, 'INTEGER')}`;

/**
 * SQL: how many requests of a row's outcome the log keeps for a key; if the row has no outcome, as many as of `2xx`.
 */
const KEPT_OF_OUTCOME = `CASE outcome ${OUTCOMES.map((outcome) => `WHEN '${outcome}' THEN ${LOGGED_OF_KEY[outcome]}`).join(' ')}
        ELSE ${LOGGED_OF_KEY['2xx']} END`;

/**
 * The statement that removes old rows of some keys from the log, which keeps only the latest requests of each
 * outcome.
 */
export const pruneLogSql = (dialect: Dialect): string => `
    DELETE FROM request_log WHERE (key_id, id) IN (
      SELECT key_id, id FROM (
        SELECT key_id, id, outcome,
          SUM(requests) OVER (PARTITION BY key_id, outcome ORDER BY id DESC) - requests AS newer
        FROM request_log WHERE key_id IN (SELECT ${sent(0, 'INTEGER')} FROM ${listed(dialect)})
      ) AS counted WHERE newer >= ${KEPT_OF_OUTCOME}
    )`;
