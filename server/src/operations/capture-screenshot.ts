import { operations } from '@signpost/contract';
import type { CaptureService } from '../capture/capture-service.js';
import { bindFile } from './operation-handler.js';

export const captureScreenshot = (capture: Pick<CaptureService, 'screenshot'>) =>
  bindFile(operations.captureScreenshot, async (request, { signal }) => {
    const { body, mediaType, durationMs, pageStatus } = await capture.screenshot(request, signal);
    return {
      body,
      mediaType,
      headers: { 'X-Capture-Time-Ms': Math.round(durationMs), 'X-Page-Status': pageStatus },
    };
  });
