import { operations } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { type CaptureCaches, capturedFile, isCacheable, pageHeaders } from './capture-cache.js';
import { bind, reservationOf } from './operation-handler.js';

const { captureScreenshot: screenshot, capturePdf: pdf } = operations;

/** The methods of the capture queue that captures as files need. */
type FileCapture = Pick<CaptureQueue, 'reserve' | 'screenshot' | 'pdf'>;

const captureScreenshot = (capture: FileCapture, { files }: CaptureCaches) =>
  bind(
    screenshot,
    (request, call) =>
      capturedFile(files, { path: screenshot.path, request }, call, async () => {
        const picture = await capture.screenshot(request, call.signal, reservationOf(call));
        const { body, mediaType, durationMs, pageHeight, pageParts } = picture;
        const headers = {
          'X-Capture-Time-Ms': Math.round(durationMs),
          ...pageHeaders(picture),
          ...(pageHeight === undefined ? {} : { 'X-Page-Height': pageHeight }),
          ...(pageParts === undefined ? {} : { 'X-Page-Parts': pageParts }),
        };
        return { file: { body, mediaType, headers }, isCacheable: isCacheable(picture) };
      }),
    capture.reserve,
  );

const capturePdf = (capture: FileCapture, { files }: CaptureCaches) =>
  bind(
    pdf,
    (request, call) =>
      capturedFile(files, { path: pdf.path, request }, call, async () => {
        const printed = await capture.pdf(request, call.signal, reservationOf(call));
        const { body, durationMs, pageCount, overriddenMargins = [] } = printed;
        const headers = {
          'X-Generation-Time-Ms': Math.round(durationMs),
          'X-Page-Count': pageCount,
          ...(overriddenMargins.length === 0 ? {} : { 'X-Margins-Overridden': overriddenMargins.join(', ') }),
          ...pageHeaders(printed),
        };
        return { file: { body, mediaType: 'application/pdf', headers }, isCacheable: isCacheable(printed) };
      }),
    capture.reserve,
  );

/** The operations that capture pages as files. */
export const captureOperations = (capture: FileCapture, captureCaches: CaptureCaches) => ({
  captureScreenshot: captureScreenshot(capture, captureCaches),
  capturePdf: capturePdf(capture, captureCaches),
});
