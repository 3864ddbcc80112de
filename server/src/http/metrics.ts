import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CaptureService } from '../capture/capture-service.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';

const requestSecondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The figures that Prometheus reads, and the way to add a request to them. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requestSeconds = new Histogram({
    name: 'signpost_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['operation', 'status'],
    buckets: requestSecondsBuckets,
    registers: [this.registry],
  });
  private readonly children = new Map<string, Histogram.Internal<'operation' | 'status'>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest(operation: string, status: number, elapsedMs: number): void {
    const name = `${operation} ${status}`;
    let child = this.children.get(name);
    if (child === undefined) {
      child = this.requestSeconds.labels({ operation, status });
      this.children.set(name, child);
    }
    child.observe(elapsedMs / 1000);
  }

  watchCaptures(capture: CaptureService): void {
    this.gauge('signpost_captures_active', 'Captures under way.', () => capture.state().active);
    this.gauge('signpost_captures_queued', 'Captures that wait for a place.', () => capture.state().queued);
    this.gauge('signpost_captures_total', 'Captures since the start.', () => capture.state().captures);
    this.gauge('signpost_browser_restarts_total', 'Browsers started anew.', () => capture.state().restarts);
    this.gauge('signpost_browser_up', '1 where the browser is ready.', () =>
      capture.state().browser === 'ready' ? 1 : 0,
    );
  }

  watchDirectory(directories: DirectoryStore): void {
    const info = () => directories.current().info;
    this.gauge('signpost_directory_postcodes', 'Postcodes in the directory in use.', () => info().rows);
    this.gauge('signpost_directory_is_sample', '1 where only the sample is in use.', () =>
      info().isSample ? 1 : 0,
    );
  }

  private gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
