import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { linuxProcesses, showsProcesses } from '../browser/browser-processes.js';

/** The program of the process that reads a PDF. Once compiled, it is in the same folder as this file. */
export const PDF_PROCESS = new URL('pdf-process.js', import.meta.url);

const MAX_MEGABYTES = 512;
const MEGABYTE = 1_048_576;
/** How often to check the memory, which a PDF can fill quickly. */
const WATCH_EVERY_MS = 50;

const pdfText = z.object({
  pageCount: z.number(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  /**
   * The text of the pages in order. The page that reaches the maximum number of characters is cut there, and is the
   * last.
   */
  pages: z.array(z.string()),
});
export type PdfText = z.output<typeof pdfText>;

const answer = z.union([pdfText, z.object({ problem: z.enum(['password', 'damaged', 'tooLarge']) })]);
export type PdfAnswer = z.output<typeof answer>;

/**
 * Reads a PDF, which may be hostile, in a process of its own. Returns at most `maxCharacters` of its text, or the
 * problem if it needs a password, is damaged or takes too much memory. Rejects if the process fails, or if the signal
 * is aborted, which kills the process.
 *
 * It is a process and not a thread, because what a PDF unpacks is outside of the heap, where the memory of a thread
 * cannot be limited.
 */
export function readPdf(
  bytes: Buffer,
  maxCharacters: number,
  signal: AbortSignal,
  entry = PDF_PROCESS,
): Promise<PdfAnswer> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(entry), [], {
      execArgv: [`--max-old-space-size=${MAX_MEGABYTES}`],
      serialization: 'advanced',
      // The process gets no environment variables: it needs none, and some are secrets.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = () => void child.kill('SIGKILL');
    const watch = setInterval(() => {
      if (child.pid === undefined || !showsProcesses()) return;
      const [{ bytes: used } = { bytes: 0 }] = linuxProcesses.tree(child.pid);
      if (used <= MAX_MEGABYTES * MEGABYTE) return;
      resolve({ problem: 'tooLarge' });
      end();
    }, WATCH_EVERY_MS);
    if (child.pid !== undefined) linuxProcesses.preferForOomKill(child.pid);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    child.once('message', (message: unknown) => {
      const parsed = answer.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(parsed.error);
      end();
    });
    // Not `once`, because there may be two errors: the process cannot be started, and then the task cannot be sent to
    // it.
    child.on('error', reject);
    child.once('close', (code, killedBy) => {
      clearInterval(watch);
      signal.removeEventListener('abort', end);
      // A process that reaches the limit of its heap ends itself with a signal.
      if (signal.aborted || killedBy === null)
        reject(new Error(`The process that reads a PDF ended (${killedBy ?? code}).`));
      else resolve({ problem: 'tooLarge' });
    });
    child.send({ bytes: new Uint8Array(bytes), maxCharacters });
  });
}
