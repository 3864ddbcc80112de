import { operations } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { bindFile } from './operation-handler.js';

export const captureScreenshot = (capture: Pick<CaptureQueue, 'reserve' | 'screenshot'>) =>
  bindFile(operations.captureScreenshot, capture.reserve, async (request, { signal }) => {
    const { body, mediaType, durationMs, pageStatus } = await capture.screenshot(request, signal);
    return {
      body,
      mediaType,
      headers: { 'X-Capture-Time-Ms': Math.round(durationMs), 'X-Page-Status': pageStatus },
    };
  });
