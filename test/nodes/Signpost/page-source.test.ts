import type { IDataObject } from 'n8n-workflow';
import { capturePdf, readPage } from '../../../nodes/Signpost/capture/capture-operations';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import type { Operation } from '../../../nodes/shared/operation';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { fakeExecution, success } from '../fixtures/fake-execution';

const url = 'https://example.com/page';
const html = '<h1>Zoë</h1>';
const htmlFile = { page: { data: Buffer.from(html).toString('base64'), mimeType: 'text/html' } };
const pdf = () => success(Buffer.from('%PDF'), { 'content-type': 'application/pdf' });

/** Captures the HTML that the parameters choose, for an item that has a file. */
async function runWithFile(
  operation: Operation,
  parameters: IDataObject,
  answer: () => unknown,
  fileName?: string,
  file = htmlFile.page,
) {
  const files = { page: { ...file, ...(fileName === undefined ? {} : { fileName }) } };
  const { context, requests } = fakeExecution({ parameters, files, answer });
  const client = new ServiceClient(context, signpostService);
  const [item] = await runOperation(context, client, operation);
  return { item, body: requests[0]?.body };
}

test('HTML can be captured instead of an address, from a text or a file of the item', async () => {
  const base = { options: { baseUrl: 'https://example.com/' } };
  const ofText = await runWithFile(capturePdf, { url, source: 'html', html: ` ${html} `, ...base }, pdf);
  const ofFile = await runWithFile(
    capturePdf,
    { url, source: 'file', inputBinaryField: 'page', ...base },
    pdf,
  );
  const body = { html, baseUrl: 'https://example.com/' };
  expect([ofText.body, ofFile.body]).toEqual([body, body]);
  expect(ofFile.item?.json).toMatchObject({ fileName: 'page.pdf' });
  expect(ofFile.item?.json).not.toHaveProperty('url');
});

test.each([
  ['Invoice 7.html', undefined, 'Invoice 7.pdf'],
  ['v1.2 final.HTM', undefined, 'v1.2 final.pdf'],
  ['invoice.html', 'mine', 'mine.pdf'],
  [undefined, undefined, 'page.pdf'],
])('the PDF of the file %p with the File Name %p is named %s', async (source, fileName, expected) => {
  const parameters = { source: 'file', inputBinaryField: 'page', options: fileName ? { fileName } : {} };
  const { item } = await runWithFile(capturePdf, parameters, pdf, source);
  expect(item?.json).toMatchObject({ fileName: expected });
});

const ofBytes = (bytes: Buffer, mimeType = 'text/html') =>
  runWithFile(
    readPage,
    { source: 'file', inputBinaryField: 'page' },
    () => success({ result: {} }),
    undefined,
    {
      data: bytes.toString('base64'),
      mimeType,
    },
  );
const latin = (text: string) => Buffer.from(text, 'latin1');
const big = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from(html), html],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${html}`), html],
  ['UTF-16', Buffer.from(`\ufeff${html}`, 'utf16le'), html],
  ['UTF-16 of the other order', big(html), html],
  ['an old encoding without its name', latin(html), html],
  [
    'Windows-1252',
    latin('<style>i::after{content:"\x95"}</style>\x93é\x94'),
    '<style>i::after{content:"•"}</style>“é”',
  ],
  ['Windows-1252 under the name of UTF-16', latin('<meta charset=utf-16>é'), '<meta charset=utf-16>é'],
  ['the encoding that it names', latin(`<meta charset="iso-8859-7">\xe1`), '<meta charset="iso-8859-7">α'],
  ['UTF-8 under another name', Buffer.from(`<meta charset=latin1>${html}`), `<meta charset=latin1>${html}`],
  ['an unknown encoding', latin(`<meta charset="x-y">${html}`), `<meta charset="x-y">${html}`],
])('HTML of a file may be in %s', async (_encoding, bytes, expected) => {
  expect((await ofBytes(bytes)).body).toEqual({ html: expected });
});

test.each([
  ['%PDF-1.7 of text alone', 'application/pdf', 'The file in page is not HTML'],
  ['\x89PNG\r\n\x1a\n\0\0', 'image/png', 'The file in page is not HTML'],
  [' \n', 'text/html', 'The file in page is empty'],
])('the error of a file that is no page names its type: file %j', async (content, mimeType, message) => {
  await expect(ofBytes(latin(content), mimeType)).rejects.toMatchObject({
    message,
    description: expect.stringContaining(mimeType),
  });
});

test.each([
  [{ source: 'url' }, 'URL is empty'],
  [{ source: 'html' }, 'HTML is empty'],
  [{ source: 'file', inputBinaryField: '' }, 'Input Binary Field is empty'],
  [{ source: 'file', inputBinaryField: 'other' }, "The item has no file 'other'."],
])('an item without a page fails with a message about what is missing: %p', async (parameters, message) => {
  await expect(runWithFile(capturePdf, parameters, pdf)).rejects.toThrow(message);
});
