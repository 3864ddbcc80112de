import type {
  CapturePdfRequest,
  CaptureScreenshotRequest,
  PageContent,
  PageRest,
  ReadPageRequest,
} from '@signpost/contract';
import type { EndpointState } from './browser/browser-pool.js';
import type { BrowserProblem } from './browser/browser-problem.js';
import type { FailingCaptures } from './failure-watch.js';
import type { QuotaUser } from './fair-queue.js';
import type { PageDescription } from './page/describe-page.js';

export interface Screenshot extends PageDescription {
  readonly body: Buffer;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** The height of the whole page in CSS pixels, if the request has `fullPage` or `part`. */
  readonly pageHeight?: number | undefined;
  readonly pageParts?: number | undefined;
  readonly durationMs: number;
  /** The HTTP status of the page itself. */
  readonly pageStatus: number;
  /** False if the page took too long and was captured as it was. */
  readonly isComplete: boolean;
  readonly pageRest: PageRest;
}

export interface Pdf extends PageDescription {
  readonly body: Buffer;
  readonly durationMs: number;
  readonly pageCount: number;
  /** The names of the request's margin fields whose values the page's own styles override. */
  readonly overriddenMargins?: readonly string[] | undefined;
  readonly pageStatus: number;
  readonly isComplete: boolean;
  readonly pageRest: PageRest;
}

/** The text of a page, up to LIMITS.pageTextCharacters. A response may contain a part of it. */
export interface PageText extends Omit<
  PageContent,
  'format' | 'characters' | 'nextOffset' | 'headings' | 'passages'
> {
  /** The headings, up to LIMITS.pageHeadings, even if they are not requested. */
  readonly headings: NonNullable<PageContent['headings']>;
  readonly isComplete: boolean;
  readonly pageRest: PageRest;
  readonly durationMs: number;
}

/** The state of the browsers. */
export interface CaptureState {
  readonly browser: 'ready' | 'starting' | 'down';
  /**
   * The browser program and its version, or how many remote browsers are ready and their names and versions, as text.
   */
  readonly program: string;
  /** How many captures can run at the same time at present. Changes as browsers come and go. */
  readonly slots: number;
  readonly active: number;
  /** How many of the active captures hold a permit to work, that is, to load, scroll or capture their page. */
  readonly working: number;
  /** Why captures with credentials fail, as text; undefined unless their browser failed to start last time. */
  readonly isolationProblem?: string | undefined;
  /** How many captures have begun since the start, including failed ones. */
  readonly captures: number;
  readonly restarts: number;
  /** The remote browsers; empty if a local browser takes the captures. */
  readonly endpoints: readonly EndpointState[];
  /** Why the server's own network cannot be used, as text; undefined unless it is down. */
  readonly networkProblem?: string | undefined;
  /** Why the browser of this machine does not start; undefined unless its last start failed. */
  readonly browserProblem?: BrowserProblem | undefined;
  /**
   * The latest failures, if at least five in a row had the same reason; otherwise undefined. Failures for the reason
   * `other` are not counted.
   */
  readonly failing?: FailingCaptures | undefined;
}

/** Captures pages without a queue. A ServiceError has the message for the caller; any other error is a defect. */
export interface CaptureService {
  /**
   * Aborting the signal frees the capture's slot at once: abort it if nobody waits for the result any more. Accounts
   * take turns in using the cores; captures without `user` count as those of one account.
   */
  screenshot(request: CaptureScreenshotRequest, signal: AbortSignal, user?: QuotaUser): Promise<Screenshot>;
  pdf(request: CapturePdfRequest, signal: AbortSignal, user?: QuotaUser): Promise<Pdf>;
  content(request: ReadPageRequest, signal: AbortSignal, user?: QuotaUser): Promise<PageText>;
  state(): CaptureState;
  /** Calls the listener whenever there may be more slots. There is only one listener. */
  onSlotsChange(listener: () => void): void;
  /** Allows captures of this http address although it is private, because it is the server's own front page. */
  allowPage(url: string): void;
  /**
   * Rejects new captures, waits for running ones, and closes the browsers: local browsers end, and their files are
   * deleted. May be called again.
   */
  close(): Promise<void>;
}
