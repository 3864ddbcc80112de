import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PasswordRejections } from '../accounts/password.js';
import type { EndpointState } from '../capture/browser/browser-pool.js';
import {
  CAPTURE_KINDS,
  CAPTURE_OUTCOMES,
  type CaptureObserver,
  type CaptureQueue,
} from '../capture/capture-queue.js';
import type { DiskSpace } from '../platform/folders.js';
import { VERSION } from '../platform/version.js';
import { SECOND_MS } from '../platform/time-units.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { RequestDurations } from './request-durations.js';

const WAIT_BOUNDS_SECONDS = [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const BATCH_BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15];

/** Gauges of the library that are named like counters, so that Prometheus's own check rejects them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

type Figures = readonly (readonly [value: string, figure: number])[];

/** Figures about the database and the data folder; undefined if they cannot be read. */
interface StorageFigures {
  readonly databaseProblem: () => Promise<string | undefined>;
  readonly diskSpace: () => Promise<DiskSpace | undefined>;
  /** When the newest backup was made; 0 without a backup. */
  readonly lastBackupMs: () => Promise<number>;
}

/** The figures that Prometheus reads. */
export class Metrics {
  private readonly registry = new Registry();
  /** The media type of the text format. */
  readonly contentType = this.registry.contentType;
  private readonly registers = [this.registry];
  private readonly requestDurations = new RequestDurations();
  private readonly captures = new Counter({
    name: 'signpost_captures_total',
    help: 'Captures that ended, by kind and by what became of them.',
    labelNames: ['kind', 'outcome'],
    registers: this.registers,
  });
  private readonly captureWaits = new Histogram({
    name: 'signpost_capture_wait_seconds',
    help: 'How long captures waited for a place.',
    buckets: WAIT_BOUNDS_SECONDS,
    registers: this.registers,
  });
  private readonly batches = new Histogram({
    name: 'signpost_database_batch_duration_seconds',
    help: 'How long the database took to count a batch of requests.',
    buckets: BATCH_BOUNDS_SECONDS,
    registers: this.registers,
  });
  private readonly writeFailures = new Counter({
    name: 'signpost_database_write_failures_total',
    help: 'Batches of requests that could not be counted.',
    registers: this.registers,
  });

  /** Observes the outcomes of captures. */
  readonly captureObserver: CaptureObserver = {
    waited: (ms) => this.captureWaits.observe(ms / SECOND_MS),
    ended: (kind, outcome) => this.captures.inc({ kind, outcome }),
  };

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    // Start at 0: Prometheus sees no increase in a series that begins with its first failure.
    for (const kind of CAPTURE_KINDS)
      for (const outcome of CAPTURE_OUTCOMES) this.captures.inc({ kind, outcome }, 0);
    new Gauge({
      name: 'signpost_build_info',
      help: 'Always 1; its labels say which version runs.',
      labelNames: ['version', 'node'],
      registers: this.registers,
    }).set({ version: VERSION, node: process.version }, 1);
  }

  observeRequest(operation: string, status: number, elapsedMs: number): void {
    this.requestDurations.observe(operation, status, elapsedMs);
  }

  /** Adds a batch of requests that was counted, or that could not be. */
  observeBatch(elapsedMs: number, isStored: boolean): void {
    this.batches.observe(elapsedMs / SECOND_MS);
    if (!isStored) this.writeFailures.inc();
  }

  /** All figures in Prometheus's text format. */
  async exposition(): Promise<string> {
    return (await this.registry.metrics()) + this.requestDurations.exposition();
  }

  watchCaptures(capture: CaptureQueue): void {
    this.gauge('signpost_captures_active', 'Captures under way.', () => capture.state().active);
    this.gauge('signpost_captures_queued', 'Captures that wait for a place.', () => capture.state().queued);
    this.counter('signpost_captures_refused_total', 'Captures refused before their turn.', 'reason', () =>
      Object.entries(capture.state().refused),
    );
    this.counter('signpost_browser_restarts_total', 'Browsers started anew.', undefined, () => [
      ['', capture.state().restarts],
    ]);
    this.gauge('signpost_browser_up', '1 where the browser is ready.', () =>
      capture.state().browser === 'ready' ? 1 : 0,
    );
    this.gauge('signpost_network_up', '0 while captures fail because the server has no network.', () =>
      capture.state().networkProblem === undefined ? 1 : 0,
    );
    if (capture.state().endpoints.length > 0) this.watchEndpoints(capture);
  }

  watchPasswords(passwords: { readonly rejected: PasswordRejections }): void {
    this.counter(
      'signpost_passwords_refused_total',
      'Sign-ins and other password checks refused before their turn.',
      'reason',
      () => Object.entries(passwords.rejected),
    );
  }

  watchDirectory(directories: DirectoryStore): void {
    const info = () => directories.current().info;
    this.gauge('signpost_directory_postcodes', 'Postcodes in the directory in use.', () => info().rows);
    this.gauge('signpost_directory_is_sample', '1 where only the sample is in use.', () =>
      info().isSample ? 1 : 0,
    );
  }

  watchStorage({ databaseProblem, diskSpace, lastBackupMs }: StorageFigures): void {
    this.gauge('signpost_database_up', '1 where requests can be counted.', async () =>
      (await databaseProblem()) === undefined ? 1 : 0,
    );
    this.gauge(
      'signpost_data_disk_free_bytes',
      'What is left on the disk of the data folder.',
      async () => (await diskSpace())?.freeBytes,
    );
    this.gauge(
      'signpost_data_disk_size_bytes',
      'How large the disk of the data folder is.',
      async () => (await diskSpace())?.sizeBytes,
    );
    this.gauge(
      'signpost_backup_timestamp_seconds',
      'When the newest backup was made, in Unix time; 0 where none was.',
      async () => (await lastBackupMs()) / SECOND_MS,
    );
  }

  private watchEndpoints(capture: CaptureQueue): void {
    const figures = (read: (endpoint: EndpointState) => number) => () =>
      capture.state().endpoints.map((endpoint) => [endpoint.name, read(endpoint)] as const);
    this.endpointGauge(
      'signpost_browser_endpoint_up',
      '1 where the remote browser is used.',
      figures(({ browser }) => (browser === 'ready' ? 1 : 0)),
    );
    this.endpointGauge(
      'signpost_browser_endpoint_captures_active',
      'Captures under way in the remote browser.',
      figures(({ active }) => active),
    );
  }

  private endpointGauge(name: string, help: string, read: () => Figures): void {
    new Gauge({
      name,
      help,
      labelNames: ['endpoint'],
      registers: this.registers,
      collect() {
        for (const [endpoint, figure] of read()) this.set({ endpoint }, figure);
      },
    });
  }

  /** Adds a gauge that is read at each scrape, and left out if its value is not known. */
  private gauge(
    name: string,
    help: string,
    read: () => number | undefined | Promise<number | undefined>,
  ): void {
    new Gauge({
      name,
      help,
      registers: this.registers,
      async collect() {
        const figure = await read();
        if (figure === undefined) this.remove();
        else this.set(figure);
      },
    });
  }

  /** Adds a counter for totals that other code keeps. With a label, it has one figure for each value of the label. */
  private counter(name: string, help: string, label: string | undefined, read: () => Figures): void {
    new Counter({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: this.registers,
      collect() {
        this.reset();
        for (const [value, figure] of read()) this.inc(label === undefined ? {} : { [label]: value }, figure);
      },
    });
  }
}
