import { operations } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { type CapturedAnswers, capturedFile, mayBeKept, pageHeaders } from './captured-answers.js';
import { bindFile } from './operation-handler.js';

const { capturePdf: operation } = operations;

export const capturePdf = (capture: Pick<CaptureQueue, 'reserve' | 'pdf'>, { files }: CapturedAnswers) =>
  bindFile(operation, capture.reserve, (request, reservation, { signal }) =>
    capturedFile(files, { path: operation.path, request }, reservation, signal, async () => {
      const pdf = await capture.pdf(request, signal);
      const { body, durationMs, pageCount } = pdf;
      const headers = {
        'X-Generation-Time-Ms': Math.round(durationMs),
        'X-Page-Count': pageCount,
        ...pageHeaders(pdf),
      };
      return { file: { body, mediaType: 'application/pdf', headers }, mayBeKept: mayBeKept(pdf) };
    }),
  );
