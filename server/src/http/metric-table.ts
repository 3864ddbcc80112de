/** A metric of the server. Its texts are Markdown, as in docs/reference/metrics.md. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The labels with their meaning. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether only servers with remote browsers have the metric. */
  readonly isOfRemoteBrowsers?: boolean;
}

const ENDPOINT = { endpoint: 'the address of the remote browser' };

/**
 * Every metric that Signpost defines itself. docs/reference/metrics.md, in this order, and the help texts of `/metrics`
 * are made from this table.
 */
export const METRICS = {
  signpost_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the first byte of a request to the last byte of its answer. Its `_count` is the number of requests.',
    labels: { operation: 'the operation, or `other`', status: 'the HTTP status' },
  },
  signpost_captures_active: { type: 'gauge', help: 'Captures that have a slot.' },
  signpost_captures_working: {
    type: 'gauge',
    help: 'Captures that load, scroll or make their file. The others that have a slot wait.',
  },
  signpost_captures_queued: { type: 'gauge', help: 'Captures that wait for a slot.' },
  signpost_capture_wait_seconds: { type: 'histogram', help: 'How long captures waited for a slot.' },
  signpost_captures_total: {
    type: 'counter',
    help: 'Captures that have ended.',
    labels: {
      kind: '`screenshot`, `pdf` or `content`',
      outcome:
        '`done`, `disconnected`, `invalidRequest` (the page is at fault, 400), `timeout` (504), `overloaded` (503: no browser or no network), `internal` (500)',
    },
  },
  signpost_captures_failed_total: {
    type: 'counter',
    help: 'Captures that have failed, by what is at fault.',
    labels: {
      reason:
        '`network` (the server has none), `name`, `unreachable`, `proxy`, `certificate`, `browser`, `memory`, `disk`, `timeout`, or `other` (the request or the page)',
    },
  },
  signpost_captures_refused_total: {
    type: 'counter',
    help: 'Captures rejected at once.',
    labels: { reason: '`account` (429: the account has all it may have), `queue` (503: the queue is full)' },
  },
  signpost_passwords_refused_total: {
    type: 'counter',
    help: 'Sign-ins, sign-ups and other requests that check or set a password, rejected with 503 before the password was checked.',
    labels: {
      reason: '`address` (the address has as many waiting as it may), `queue` (too many are waiting)',
    },
  },
  signpost_browser_restarts_total: { type: 'counter', help: 'Browsers replaced since the start.' },
  signpost_browser_up: { type: 'gauge', help: '1 if the browser is ready.' },
  signpost_network_up: {
    type: 'gauge',
    help: "0 while captures fail because [the server's own network](../explanation/failures.md#the-network) is down.",
  },
  signpost_database_up: { type: 'gauge', help: '1 if requests can be counted, as in `/readyz`.' },
  signpost_database_batch_duration_seconds: {
    type: 'histogram',
    help: 'How long the database took to count a batch of requests, or to fail.',
  },
  signpost_database_write_failures_total: {
    type: 'counter',
    help: 'Batches that could not be counted. All their requests were answered 503.',
  },
  signpost_data_disk_free_bytes: { type: 'gauge', help: 'Free space on the disk of the data folder.' },
  signpost_data_disk_size_bytes: { type: 'gauge', help: 'Size of that disk.' },
  signpost_backup_timestamp_seconds: {
    type: 'gauge',
    help: 'When the newest backup was made by `signpost backup` with this data folder, in Unix time. 0 if there is none.',
  },
  signpost_directory_postcodes: { type: 'gauge', help: 'Postcodes in the directory in use.' },
  signpost_directory_is_sample: { type: 'gauge', help: '1 if only the sample is in use.' },
  signpost_mails_unsent_total: {
    type: 'counter',
    help: 'Mails that could not be sent. The log says why.',
  },
  signpost_build_info: {
    type: 'gauge',
    help: 'Always 1. Its labels say what runs.',
    labels: { version: 'of Signpost', node: 'the version of Node.js' },
  },
  signpost_browser_endpoint_up: {
    type: 'gauge',
    help: '1 if the remote browser is used.',
    labels: ENDPOINT,
    isOfRemoteBrowsers: true,
  },
  signpost_browser_endpoint_captures_active: {
    type: 'gauge',
    help: 'Captures under way in the remote browser.',
    labels: ENDPOINT,
    isOfRemoteBrowsers: true,
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

/** The text of a metric without Markdown. */
export const helpOf = (name: MetricName): string =>
  METRICS[name].help.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1').replaceAll('`', '');
