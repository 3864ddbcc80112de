import { capturePdfRequest } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import { CaptureDeadline } from './capture-deadline.js';
import { printingError } from './printing-errors.js';

const request = (more: Record<string, unknown> = {}) =>
  capturePdfRequest.parse({ url: 'https://site.example/', ...more });
const failed = (words: string) => new ProtocolError('Page.printToPDF', words);

let deadline: CaptureDeadline;

beforeEach(() => {
  deadline = new CaptureDeadline({ pageMs: 60_000, totalMs: 60_000 }, new AbortController().signal);
});

afterEach(() => deadline.end());

test.each(['Printing failed', 'Get data from metafile error', 'Page is already being printed'])(
  'a page for which the browser says "%s" is rejected as an invalid request',
  async (words) => {
    expect(await printingError(failed(words), deadline, request())).toMatchObject({
      kind: 'invalidRequest',
      message:
        'The browser cannot print this page: it may have too many elements. Capture less of it, or set "tagged" and "outline" to false, which takes less memory.',
    });
  },
);

test('does not suggest turning off fields that are already off', async () => {
  const plain = request({ tagged: false, outline: false });

  expect(await printingError(failed('Printing failed'), deadline, plain)).toMatchObject({
    message: 'The browser cannot print this page: it may have too many elements. Capture less of it.',
  });
});

test("if the page's process ended, the error says why, even if printing failed first", async () => {
  const tooMuchMemory = new ServiceError('invalidRequest', 'The page takes more memory than it may.');
  const error = printingError(failed('Printing failed'), deadline, request());
  deadline.failPage(tooMuchMemory);

  await expect(error).rejects.toBe(tooMuchMemory);
});

test.each([failed('Not attached to an active page'), new Error('any other')])(
  'errors that are not of printing are left as they are: %s',
  async (error) => {
    expect(await printingError(error, deadline, request())).toBe(error);
  },
);
