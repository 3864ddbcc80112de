import type { Dialect } from '../storage/storage.js';
import { MAX_LOGGED_OF_KEY } from './pending-records.js';
import { ALL_KEYS } from './recorded-request.js';
import { TIME_PLACES, timeColumn } from './response-times.js';

/** The entries of a list that is handed over as JSON, so that one prepared statement takes any number of them. */
const listed = (dialect: Dialect) =>
  dialect === 'sqlite' ? 'json_each(?) AS sent' : 'json_array_elements(CAST(? AS json)) AS sent(value)';

const sent = (place: number, type: string) => `CAST(sent.value ->> ${place} AS ${type})`;

const KEY_COLUMNS = ['span_minutes', 'start_minute', 'key_id', 'operation', 'outcome'];
const ADDED_COLUMNS = ['requests', ...Array.from({ length: TIME_PLACES }, (_, place) => timeColumn(place))];

/**
 * Adds counts, each a list of the columns in their order. Rows come in the order of their key, so that servers that
 * store at once do not wait for each other in a circle; of a key that was deleted meanwhile nothing is stored.
 */
export function addCountsSql(dialect: Dialect): string {
  const typeOf = (column: string) => (['operation', 'outcome'].includes(column) ? 'TEXT' : 'INTEGER');
  const columns = [...KEY_COLUMNS, ...ADDED_COLUMNS];
  return `
    INSERT INTO usage_counts AS c (${columns.join(', ')})
    SELECT ${columns.map((column, place) => sent(place, typeOf(column))).join(', ')}
    FROM ${listed(dialect)} LEFT JOIN api_keys k ON k.id = ${sent(2, 'INTEGER')}
    WHERE k.id IS NOT NULL OR ${sent(2, 'INTEGER')} = ${ALL_KEYS} ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
      ${ADDED_COLUMNS.map((column) => `${column} = c.${column} + excluded.${column}`).join(', ')}`;
}

/**
 * Adds rows of the log, each a list of key, id, time, number, entries and, where some asked for pages, the addresses of
 * these, which are stored of an account alone that wants it.
 */
export const addLogSql = (dialect: Dialect): string => `
    INSERT INTO request_log (key_id, id, at, requests, entries, pages)
    SELECT k.id, ${sent(1, 'TEXT')}, ${sent(2, 'BIGINT')}, ${sent(3, 'INTEGER')}, ${sent(4, 'TEXT')},
      CASE WHEN ${sent(5, 'TEXT')} IS NOT NULL AND (
        SELECT a.logs_pages FROM projects p JOIN accounts a ON a.id = p.account_id WHERE p.id = k.project_id
      ) THEN ${sent(5, 'TEXT')} END
    FROM ${listed(dialect)} JOIN api_keys k ON k.id = ${sent(0, 'INTEGER')}`;

/** Removes the rows of some keys that are older than the last requests which the log keeps. */
export const pruneLogSql = (dialect: Dialect): string => `
    DELETE FROM request_log WHERE (key_id, id) IN (
      SELECT key_id, id FROM (
        SELECT key_id, id, SUM(requests) OVER (PARTITION BY key_id ORDER BY id DESC) - requests AS newer
        FROM request_log WHERE key_id IN (SELECT ${sent(0, 'INTEGER')} FROM ${listed(dialect)})
      ) AS counted WHERE newer >= ${MAX_LOGGED_OF_KEY}
    )`;
