import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** The program of the thread, beside this one once it is compiled. */
export const PDF_THREAD = new URL('pdf-thread.js', import.meta.url);

const MAX_MEGABYTES = 512;

const pdfText = z.object({
  pageCount: z.number(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  /** The text of each page. */
  pages: z.array(z.string()),
});
export type PdfText = z.output<typeof pdfText>;

const answer = z.union([pdfText, z.object({ problem: z.enum(['password', 'damaged', 'tooLarge']) })]);
export type PdfAnswer = z.output<typeof answer>;

/**
 * Reads a PDF of somebody else in a thread of its own, with a bound on its memory, until the signal ends it. Returns no
 * text beyond the maximum, apart from the rest of a page.
 */
export function readPdf(
  bytes: Buffer,
  maxCharacters: number,
  signal: AbortSignal,
  entry = PDF_THREAD,
): Promise<PdfAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, {
      workerData: { bytes: new Uint8Array(bytes), maxCharacters },
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
    const end = () => void worker.terminate();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    worker.once('message', (message: unknown) => {
      const parsed = answer.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(parsed.error);
      end();
    });
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ problem: 'tooLarge' });
      else reject(error);
    });
    worker.once('exit', () => {
      signal.removeEventListener('abort', end);
      reject(new Error('The thread that reads a PDF has ended.'));
    });
  });
}
