import type {
  CapturePdfRequest,
  CaptureScreenshotRequest,
  PageContent,
  ReadPageRequest,
} from '@signpost/contract';
import type { EndpointState } from './browser/browser-pool.js';
import type { PageDescription } from './page/describe-page.js';

export interface Screenshot extends PageDescription {
  readonly body: Buffer;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** The whole page's, where the picture is of that or of a part of it. */
  readonly pageHeight?: number | undefined;
  readonly pageParts?: number | undefined;
  readonly durationMs: number;
  /** The HTTP status with which the page itself answered. */
  readonly pageStatus: number;
  /** False where the page took too long and is captured as it was. */
  readonly isComplete: boolean;
}

export interface Pdf extends PageDescription {
  readonly body: Buffer;
  readonly durationMs: number;
  readonly pageCount: number;
  readonly pageStatus: number;
  readonly isComplete: boolean;
}

/** All that a page says, of which an answer may hold a part. */
export interface PageText extends Omit<PageContent, 'format' | 'characters' | 'nextOffset'> {
  readonly isComplete: boolean;
  readonly durationMs: number;
}

/** How the browsers stand. */
export interface CaptureState {
  readonly browser: 'ready' | 'starting' | 'down';
  /** The program and its version, as people read them. */
  readonly program: string;
  /** How many captures it takes at the same time now; browsers come and go. */
  readonly places: number;
  readonly active: number;
  /** Captures since the start, whatever became of them. */
  readonly captures: number;
  readonly restarts: number;
  /** The remote browsers; none where captures are taken by one of this machine. */
  readonly endpoints: readonly EndpointState[];
}

/** Captures pages, all at once; every refusal and failure is a ServiceError in the words that the caller reads. */
export interface CaptureService {
  /** The signal frees the capture's place at once, when nobody waits for the result any more. */
  screenshot(request: CaptureScreenshotRequest, signal: AbortSignal): Promise<Screenshot>;
  pdf(request: CapturePdfRequest, signal: AbortSignal): Promise<Pdf>;
  content(request: ReadPageRequest, signal: AbortSignal): Promise<PageText>;
  state(): CaptureState;
  /** Calls the listener, the only one, whenever there may be more places. */
  onPlaces(listener: () => void): void;
  /** Lets pages at this one http address be captured although it is private: the server's own front page. */
  allowPage(url: string): void;
  /** Refuses what comes, finishes what is under way, ends the browser; nothing of it is left. May be called again. */
  close(): Promise<void>;
}
