import { readPageRequest } from '@signpost/contract';
import { scriptedPage } from '../../../../test/fixtures/capture/scripted-page.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import { INNER_TEXT_SCRIPT, READING_SCRIPT } from '../reading/reading-scripts.js';
import { contentJob } from './read-content.js';
import { EMPTY_PAGE_FIELDS } from './text-document.js';

const INNER_TEXT = {
  ...EMPTY_PAGE_FIELDS,
  url: 'https://example.com/',
  title: 'A page',
  content: 'The words that the browser finds itself',
  links: null,
};

/** Reads a fake page on which the reading script has the outcome of `reading`. */
async function readWith(reading: () => Promise<unknown>) {
  const { open } = scriptedPage({
    reply: (method) => (method === 'Page.getFrameTree' ? { frameTree: {} } : {}),
    evaluate: (expression) => {
      if (expression.includes(READING_SCRIPT)) return reading();
      return Promise.resolve(expression.includes(INNER_TEXT_SCRIPT) ? INNER_TEXT : null);
    },
  });
  return contentJob(readPageRequest.parse({ url: 'https://example.com/' }), {
    maxPageHeightPixels: 1,
    maxResultBytes: 1,
    maxMemoryBytes: 1,
  }).make(open);
}

test.each([
  [
    'is ended by the browser',
    () => Promise.reject(new ProtocolError('Runtime.evaluate', 'Execution was terminated')),
  ],
  ['gives up', () => Promise.resolve(null)],
])('if the reading script %s, returns the inner text', async (_how, reading) => {
  await expect(readWith(reading)).resolves.toMatchObject({ content: INNER_TEXT.content, title: 'A page' });
});

test('if the reading script fails without having been ended by the browser, the capture fails', async () => {
  const reading = () => Promise.reject(new ProtocolError('Runtime.evaluate', 'Something else'));
  await expect(readWith(reading)).rejects.toThrow('Something else');
});
