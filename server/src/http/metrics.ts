import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PasswordRejections } from '../accounts/password.js';
import type { EndpointState } from '../capture/browser/browser-pool.js';
import {
  CAPTURE_KINDS,
  CAPTURE_OUTCOMES,
  type CaptureObserver,
  type CaptureQueue,
} from '../capture/capture-queue.js';
import { FAILURE_REASONS } from '../capture/failure-watch.js';
import type { DiskSpace } from '../platform/folders.js';
import { VERSION } from '../platform/version.js';
import { SECOND_MS } from '../platform/time-units.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { helpOf, type Metric, type MetricName, METRICS } from './metric-table.js';
import { RequestDurations } from './request-durations.js';

const WAIT_BOUNDS_SECONDS = [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const BATCH_BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15];

/** Gauges of the library whose names are those of counters, which Prometheus's own check rejects. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** One figure, or one for each value of the metric's label; undefined if it is not known. */
type Reading = number | undefined | readonly (readonly [labelValue: string, figure: number])[];

/** Figures about the database and the data folder. The disk space is undefined if it cannot be read. */
interface StorageFigures {
  readonly databaseProblem: () => Promise<string | undefined>;
  readonly diskSpace: () => Promise<DiskSpace | undefined>;
  /** When the newest backup was made; 0 without a backup. */
  readonly lastBackupMs: () => Promise<number>;
}

/** The figures that Prometheus reads: those described in METRICS, and most default ones of the metrics library. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requestDurations = new RequestDurations();
  readonly #captures = new Counter(this.#describe('signpost_captures_total'));
  readonly #captureFailures = new Counter(this.#describe('signpost_captures_failed_total'));
  readonly #captureWaits = new Histogram({
    ...this.#describe('signpost_capture_wait_seconds'),
    buckets: WAIT_BOUNDS_SECONDS,
  });
  readonly #batches = new Histogram({
    ...this.#describe('signpost_database_batch_duration_seconds'),
    buckets: BATCH_BOUNDS_SECONDS,
  });
  readonly #writeFailures = new Counter(this.#describe('signpost_database_write_failures_total'));

  /** Observes how long captures wait for a slot, and how they end. */
  readonly captureObserver: CaptureObserver = {
    onWait: (ms) => this.#captureWaits.observe(ms / SECOND_MS),
    onEnd: (kind, outcome, reason) => {
      this.#captures.inc({ kind, outcome });
      if (reason !== undefined) this.#captureFailures.inc({ reason });
    },
  };

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
    // These series start at 0, because Prometheus sees no increase in a series that begins with its first event.
    for (const kind of CAPTURE_KINDS)
      for (const outcome of CAPTURE_OUTCOMES) this.#captures.inc({ kind, outcome }, 0);
    for (const reason of FAILURE_REASONS) this.#captureFailures.inc({ reason }, 0);
    const build = { version: VERSION, node: process.version };
    new Gauge(this.#describe('signpost_build_info')).set(build, 1);
  }

  /** The media type of the text format. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  observeRequest(operation: string, status: number, elapsedMs: number): void {
    this.#requestDurations.observe(operation, status, elapsedMs);
  }

  /** Adds a batch of requests, which was either counted or could not be. */
  observeBatch(elapsedMs: number, isStored: boolean): void {
    this.#batches.observe(elapsedMs / SECOND_MS);
    if (!isStored) this.#writeFailures.inc();
  }

  /** All figures in Prometheus's text format. */
  async exposition(): Promise<string> {
    return (await this.#registry.metrics()) + this.#requestDurations.exposition();
  }

  watchCaptures(capture: CaptureQueue): void {
    this.#watch('signpost_captures_active', () => capture.state().active);
    this.#watch('signpost_captures_working', () => capture.state().working);
    this.#watch('signpost_captures_queued', () => capture.state().queued);
    this.#watch('signpost_captures_refused_total', () => Object.entries(capture.state().rejected));
    this.#watch('signpost_browser_restarts_total', () => capture.state().restarts);
    this.#watch('signpost_browser_up', () => Number(capture.state().browser === 'ready'));
    this.#watch('signpost_network_up', () => Number(capture.state().networkProblem === undefined));
    if (capture.state().endpoints.length === 0) return;
    const ofEach = (read: (endpoint: EndpointState) => number) => () =>
      capture.state().endpoints.map((endpoint) => [endpoint.name, read(endpoint)] as const);
    this.#watch(
      'signpost_browser_endpoint_up',
      ofEach(({ browser }) => Number(browser === 'ready')),
    );
    this.#watch(
      'signpost_browser_endpoint_captures_active',
      ofEach(({ active }) => active),
    );
  }

  watchPasswords(passwords: { readonly rejected: PasswordRejections }): void {
    this.#watch('signpost_passwords_refused_total', () => Object.entries(passwords.rejected));
  }

  watchMail(mail: { readonly unsent: () => number }): void {
    this.#watch('signpost_mails_unsent_total', () => mail.unsent());
  }

  watchDirectory(directories: DirectoryStore): void {
    const info = () => directories.current().info;
    this.#watch('signpost_directory_postcodes', () => info().rows);
    this.#watch('signpost_directory_is_sample', () => Number(info().isSample));
  }

  watchStorage({ databaseProblem, diskSpace, lastBackupMs }: StorageFigures): void {
    this.#watch('signpost_database_up', async () => Number((await databaseProblem()) === undefined));
    this.#watch('signpost_data_disk_free_bytes', async () => (await diskSpace())?.freeBytes);
    this.#watch('signpost_data_disk_size_bytes', async () => (await diskSpace())?.sizeBytes);
    this.#watch('signpost_backup_timestamp_seconds', async () => (await lastBackupMs()) / SECOND_MS);
  }

  #describe(name: MetricName) {
    const { labels }: Metric = METRICS[name];
    return { name, help: helpOf(name), labelNames: Object.keys(labels ?? {}), registers: [this.#registry] };
  }

  /** Adds a gauge or a counter that is read at each scrape. A gauge is left out while its value is not known. */
  #watch(name: MetricName, read: () => Reading | Promise<Reading>): void {
    const described = this.#describe(name);
    const [label = ''] = described.labelNames;
    const series = async () => {
      const reading = await read();
      if (reading === undefined) return [];
      if (typeof reading === 'number') return [{ labels: {}, figure: reading }];
      return reading.map(([value, figure]) => ({ labels: { [label]: value }, figure }));
    };
    if (METRICS[name].type === 'counter') {
      new Counter({
        ...described,
        async collect() {
          const current = await series();
          this.reset();
          for (const { labels, figure } of current) this.inc(labels, figure);
        },
      });
      return;
    }
    new Gauge({
      ...described,
      async collect() {
        const current = await series();
        this.remove({});
        for (const { labels, figure } of current) this.set(labels, figure);
      },
    });
  }
}
