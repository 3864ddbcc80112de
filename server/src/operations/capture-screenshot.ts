import { operations } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { type CapturedAnswers, capturedFile, mayBeKept, pageHeaders } from './captured-answers.js';
import { bindFile } from './operation-handler.js';

const { captureScreenshot: operation } = operations;

export const captureScreenshot = (
  capture: Pick<CaptureQueue, 'reserve' | 'screenshot'>,
  { files }: CapturedAnswers,
) =>
  bindFile(operation, capture.reserve, (request, reservation, { signal }) =>
    capturedFile(files, { path: operation.path, request }, reservation, signal, async () => {
      const picture = await capture.screenshot(request, signal);
      const { body, mediaType, durationMs, pageHeight, pageParts } = picture;
      const headers = {
        'X-Capture-Time-Ms': Math.round(durationMs),
        ...pageHeaders(picture),
        ...(pageHeight === undefined ? {} : { 'X-Page-Height': pageHeight }),
        ...(pageParts === undefined ? {} : { 'X-Page-Parts': pageParts }),
      };
      return { file: { body, mediaType, headers }, mayBeKept: mayBeKept(picture) };
    }),
  );
