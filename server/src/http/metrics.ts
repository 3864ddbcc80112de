import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { EndpointState } from '../capture/capture-service.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { RequestDurations } from './request-durations.js';

/** The figures that Prometheus reads, and the way to add a request to them. */
export class Metrics {
  private readonly registry = new Registry();
  /** The media type of the text format. */
  readonly contentType = this.registry.contentType;
  private readonly requestDurations = new RequestDurations();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest(operation: string, status: number, elapsedMs: number): void {
    this.requestDurations.observe(operation, status, elapsedMs);
  }

  /** Everything in Prometheus's text format. */
  async exposition(): Promise<string> {
    return (await this.registry.metrics()) + this.requestDurations.exposition();
  }

  watchCaptures(capture: CaptureQueue): void {
    this.gauge('signpost_captures_active', 'Captures under way.', () => capture.state().active);
    this.gauge('signpost_captures_queued', 'Captures that wait for a place.', () => capture.state().queued);
    this.labelledGauge('signpost_captures_refused_total', 'Captures refused since the start.', 'reason', () =>
      Object.entries(capture.state().refused),
    );
    this.gauge('signpost_captures_total', 'Captures since the start.', () => capture.state().captures);
    this.gauge('signpost_browser_restarts_total', 'Browsers started anew.', () => capture.state().restarts);
    this.gauge('signpost_browser_up', '1 where the browser is ready.', () =>
      capture.state().browser === 'ready' ? 1 : 0,
    );
    if (capture.state().endpoints.length > 0) this.watchEndpoints(capture);
  }

  watchDirectory(directories: DirectoryStore): void {
    const info = () => directories.current().info;
    this.gauge('signpost_directory_postcodes', 'Postcodes in the directory in use.', () => info().rows);
    this.gauge('signpost_directory_is_sample', '1 where only the sample is in use.', () =>
      info().isSample ? 1 : 0,
    );
  }

  private watchEndpoints(capture: CaptureQueue): void {
    this.endpointGauge(
      'signpost_browser_endpoint_up',
      '1 where the remote browser is used.',
      capture,
      ({ browser }) => (browser === 'ready' ? 1 : 0),
    );
    this.endpointGauge(
      'signpost_browser_endpoint_captures_active',
      'Captures under way in the remote browser.',
      capture,
      ({ active }) => active,
    );
  }

  private endpointGauge(
    name: string,
    help: string,
    capture: CaptureQueue,
    read: (endpoint: EndpointState) => number,
  ): void {
    this.labelledGauge(name, help, 'endpoint', () =>
      capture.state().endpoints.map((endpoint) => [endpoint.name, read(endpoint)] as const),
    );
  }

  /** One figure for each value of a label. */
  private labelledGauge(
    name: string,
    help: string,
    label: string,
    read: () => readonly (readonly [value: string, figure: number])[],
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const [value, figure] of read()) this.set({ [label]: value }, figure);
      },
    });
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
