import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { EndpointState } from '../capture/browser/browser-pool.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';

/** Upper bounds in seconds, for answers out of memory as well as for captures. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const NAME = 'signpost_request_duration_seconds';
const MS_PER_SECOND = 1_000;

/** The requests of one operation that ended with one status. */
interface Outcome {
  readonly labels: string;
  /** How many took at most the bound of the same place, and longer than the one before; the last are the longest. */
  readonly counts: number[];
  sumMs: number;
}

/**
 * A histogram of request times by operation and status. The metrics library looks its labels up anew for each value,
 * which costs a busy server four per cent of its look-ups; here a request costs two additions.
 */
export class RequestDurations {
  /** By operation and status. */
  private readonly outcomes = new Map<string, Map<number, Outcome>>();

  /** Adds one request; `operation` is an identifier of ours, in which there is nothing to escape. */
  observe(operation: string, status: number, elapsedMs: number): void {
    const outcome = this.outcomes.get(operation)?.get(status) ?? this.addOutcome(operation, status);
    const seconds = elapsedMs / MS_PER_SECOND;
    let place = 0;
    while (seconds > (BOUNDS_SECONDS[place] ?? Infinity)) place += 1;
    outcome.counts[place] = (outcome.counts[place] ?? 0) + 1;
    outcome.sumMs += elapsedMs;
  }

  private addOutcome(operation: string, status: number): Outcome {
    const labels = `operation="${operation}",status="${status}"`;
    const outcome = { labels, counts: Array<number>(BOUNDS_SECONDS.length + 1).fill(0), sumMs: 0 };
    const ofOperation = this.outcomes.get(operation) ?? new Map<number, Outcome>();
    this.outcomes.set(operation, ofOperation.set(status, outcome));
    return outcome;
  }

  /** The histogram in Prometheus's text format. */
  exposition(): string {
    const lines = [
      `# HELP ${NAME} Time from the first byte of a request to the last byte of its answer.`,
      `# TYPE ${NAME} histogram`,
    ];
    const outcomes = [...this.outcomes.values()].flatMap((ofOperation) => [...ofOperation.values()]);
    for (const { labels, counts, sumMs } of outcomes) {
      let total = 0;
      for (const [place, count] of counts.entries()) {
        total += count;
        lines.push(`${NAME}_bucket{le="${BOUNDS_SECONDS[place] ?? '+Inf'}",${labels}} ${total}`);
      }
      lines.push(`${NAME}_sum{${labels}} ${sumMs / MS_PER_SECOND}`, `${NAME}_count{${labels}} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

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
