import { operations } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { bindFile } from './operation-handler.js';
import { pageHeaders } from './page-headers.js';

export const capturePdf = (capture: Pick<CaptureQueue, 'reserve' | 'pdf'>) =>
  bindFile(operations.capturePdf, capture.reserve, async (request, { signal }) => {
    const pdf = await capture.pdf(request, signal);
    const { body, durationMs, pageCount } = pdf;
    return {
      body,
      mediaType: 'application/pdf',
      headers: {
        'X-Generation-Time-Ms': Math.round(durationMs),
        'X-Page-Count': pageCount,
        ...pageHeaders(pdf),
      },
    };
  });
