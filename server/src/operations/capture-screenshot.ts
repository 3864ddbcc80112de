import { operations } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { bindFile } from './operation-handler.js';
import { pageHeaders } from './page-headers.js';

export const captureScreenshot = (capture: Pick<CaptureQueue, 'reserve' | 'screenshot'>) =>
  bindFile(operations.captureScreenshot, capture.reserve, async (request, { signal }) => {
    const picture = await capture.screenshot(request, signal);
    const { body, mediaType, durationMs, pageHeight, pageParts } = picture;
    return {
      body,
      mediaType,
      headers: {
        'X-Capture-Time-Ms': Math.round(durationMs),
        ...pageHeaders(picture),
        ...(pageHeight === undefined ? {} : { 'X-Page-Height': pageHeight }),
        ...(pageParts === undefined ? {} : { 'X-Page-Parts': pageParts }),
      },
    };
  });
