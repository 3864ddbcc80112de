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
) {
  const files = { page: { ...htmlFile.page, ...(fileName === undefined ? {} : { fileName }) } };
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

test('HTML of a file is decoded as browsers decode a page', async () => {
  const result = { content: 'Zoë' };
  const read = await runWithFile(readPage, { source: 'file', inputBinaryField: 'page' }, () =>
    success({ result }),
  );
  expect([read.body, read.item?.json]).toEqual([{ html }, result]);
});

test.each([
  [{ source: 'url' }, 'URL is empty'],
  [{ source: 'html' }, 'HTML is empty'],
  [{ source: 'file', inputBinaryField: '' }, 'Input Binary Field is empty'],
  [{ source: 'file', inputBinaryField: 'other' }, "The item has no file 'other'."],
])('an item without a page fails with a message about what is missing: %p', async (parameters, message) => {
  await expect(runWithFile(capturePdf, parameters, pdf)).rejects.toThrow(message);
});
