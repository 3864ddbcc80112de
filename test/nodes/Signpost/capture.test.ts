import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../../nodes/shared/operation';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { fakeExecution, httpFailure, success } from '../fixtures/fake-execution';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { capturePdf, captureScreenshot } from '../../../nodes/Signpost/capture/capture-operations';

const url = 'https://example.com/page?q=1';
const headers = {
  'content-type': 'image/jpeg',
  'x-capture-time-ms': '120',
  'x-page-status': '404',
  'x-page-url': 'https://example.com/found',
  'x-page-title': 'Gr%C3%B6%C3%9Fe',
};

async function run(
  operation: Operation,
  parameters: IDataObject,
  answer: () => unknown,
  continueOnFail = false,
) {
  const { context, requests } = fakeExecution({ parameters: { url, ...parameters }, answer, continueOnFail });
  const client = new ServiceClient(context, signpostService);
  const [item] = await runOperation(context, client, operation);
  return { item, request: requests[0] };
}

const image = () => success(Buffer.from('bytes'), headers);

test('a capture puts its file into the chosen field, and the facts about the file and the page into the JSON', async () => {
  const { item } = await run(
    captureScreenshot,
    { format: 'jpeg', binaryPropertyName: 'picture', options: { fileName: 'front: page' } },
    image,
  );
  expect(item).toEqual({
    json: {
      url,
      fileName: 'front- page.jpg',
      mimeType: 'image/jpeg',
      fileSizeBytes: 5,
      captureTimeMs: 120,
      pageStatus: 404,
      pageUrl: 'https://example.com/found',
      pageTitle: 'Größe',
      binaryField: 'picture',
    },
    binary: { picture: { data: 'Ynl0ZXM=', fileName: 'front- page.jpg', mimeType: 'image/jpeg' } },
    pairedItem: { item: 0 },
  });
});

test('options that are not set are not sent, and texts from expressions become numbers and booleans', async () => {
  const { request } = await run(
    capturePdf,
    { format: 'A5', landscape: 'true', options: { scale: '0.5', marginTop: ' 1cm ', marginLeft: '' } },
    () => success(Buffer.from('%PDF'), { 'content-type': 'application/pdf', 'x-page-count': '3' }),
  );
  expect(request).toMatchObject({
    method: 'POST',
    url: 'http://signpost.test/api/pdf',
    encoding: 'arraybuffer',
  });
  expect(request?.body).toEqual({ url, format: 'A5', landscape: true, scale: 0.5, marginTop: '1cm' });
});

test('the JSON of a part of a page has the height of the page and its number of parts', async () => {
  const { item } = await run(captureScreenshot, { options: { part: 2 } }, () =>
    success(Buffer.from('bytes'), { ...headers, 'x-page-height': '2500', 'x-page-parts': '3' }),
  );
  expect(item?.json).toMatchObject({ pageHeight: 2_500, pageParts: 3 });
});

const files = { letter: { data: 'TA==', mimeType: 'text/plain' } };

test.each([
  [1, {}, false],
  [1, { keepInput: true }, true],
  [1.1, {}, true],
  [1.1, { keepInput: false }, false],
])('version %p with options %j: an item keeps fields and files: %p', async (typeVersion, options, isKept) => {
  for (const output of ['binary', 'base64']) {
    const { context } = fakeExecution({
      parameters: { url, output, options },
      items: [{ customer: 'Ada', url: 'old' }],
      files,
      typeVersion,
      answer: image,
    });
    const client = new ServiceClient(context, signpostService);
    const [item] = await runOperation(context, client, captureScreenshot);
    expect(item?.json).toMatchObject({ url, mimeType: 'image/jpeg' });
    expect(item?.json.customer).toBe(isKept ? 'Ada' : undefined);
    expect(item?.binary?.letter).toEqual(isKept ? files.letter : undefined);
    expect(Object.keys(item?.binary ?? {})).toHaveLength((isKept ? 1 : 0) + (output === 'binary' ? 1 : 0));
  }
});

/** Takes a screenshot with version 1.1, for an item with these fields and with a file in the field `data`. */
async function capturedAfter(json: IDataObject, parameters: IDataObject = {}) {
  const { context } = fakeExecution({
    parameters: { url, ...parameters },
    items: [json],
    files: { data: files.letter },
    typeVersion: 1.1,
    answer: image,
  });
  const client = new ServiceClient(context, signpostService);
  const [item] = await runOperation(context, client, captureScreenshot);
  return item;
}

test('a capture replaces a file and a field of the same name, and keeps a file of another name', async () => {
  const replaced = await capturedAfter({ mimeType: 'of before' });
  expect(replaced?.binary).toEqual({ data: expect.objectContaining({ mimeType: 'image/jpeg' }) });
  expect(replaced?.json.mimeType).toBe('image/jpeg');
  const both = await capturedAfter({}, { binaryPropertyName: 'picture' });
  expect(both?.binary).toEqual({
    data: files.letter,
    picture: expect.objectContaining({ mimeType: 'image/jpeg' }),
  });
});

test('a capture removes the fields that describe an earlier capture', async () => {
  const earlier = {
    fileName: 'a.pdf',
    captureTimeMs: 5,
    pageCount: 3,
    binaryField: 'first',
    customer: 'Ada',
  };
  const item = await capturedAfter(earlier, { output: 'base64' });
  expect(item?.json).toMatchObject({ customer: 'Ada', base64: 'Ynl0ZXM=', captureTimeMs: 120 });
  expect(item?.json).not.toHaveProperty('binaryField');
  expect(item?.json).not.toHaveProperty('pageCount');
  const own = { pageCount: 12, binaryField: 'mine' };
  expect((await capturedAfter(own, { output: 'base64' }))?.json).toMatchObject(own);
});

test.each([
  [{ error: 'No such host.', details: { httpStatus: 400, description: 'Check it.' } }, {}],
  [{ error: 'Nothing there', details: {} }, {}],
  [{ error: 'of the user' }, { error: 'of the user' }],
  [
    { error: 'of the user', details: { httpStatus: 400, line: 3 } },
    { error: 'of the user', details: { httpStatus: 400, line: 3 } },
  ],
  [
    { error: { code: 3 }, details: {} },
    { error: { code: 3 }, details: {} },
  ],
])('of the fields %j, a captured item keeps %j', async (came, kept) => {
  const { json = {} } = (await capturedAfter({ customer: 'Ada', ...came })) ?? {};
  const { customer, error, details } = json;
  expect(customer).toBe('Ada');
  expect({
    ...(error === undefined ? {} : { error }),
    ...(details === undefined ? {} : { details }),
  }).toEqual(kept);
});

test('the JSON of a PDF has its number of pages', async () => {
  const { item } = await run(capturePdf, {}, () =>
    success(Buffer.from('%PDF'), { 'content-type': 'application/pdf', 'x-page-count': '3' }),
  );
  expect(item?.json).toMatchObject({ fileName: 'example.com-page.pdf', pageCount: 3, captureTimeMs: null });
});

test.each([
  ['base64', { base64: 'Ynl0ZXM=' }],
  ['dataUrl', { dataUrl: 'data:image/jpeg;base64,Ynl0ZXM=' }],
])('the output %s puts the file into the JSON, and into no binary field', async (output, expected) => {
  const { item } = await run(captureScreenshot, { output }, image);
  expect(item?.json).toMatchObject(expected);
  expect(item?.binary).toBeUndefined();
});

test('a file that is too large for the JSON fails with an error that says what to change', async () => {
  const large = () => success(Buffer.alloc(2_049), headers);
  await expect(
    run(captureScreenshot, { output: 'base64', options: { maximumJsonKilobytes: 2 } }, large),
  ).rejects.toMatchObject({
    message: 'The file has 3 KB, more than the 2 KB that may go into the JSON',
    description: expect.stringContaining('Choose JPEG'),
  });
});

test('a failed item has the message of an error response in bytes', async () => {
  const refused = () => Promise.reject(httpFailure(400, Buffer.from('{"error":"No such host."}')));
  const { item } = await run(captureScreenshot, {}, refused, true);
  expect(item).toMatchObject({
    json: { error: 'No such host.', details: { httpStatus: 400 } },
    pairedItem: { item: 0 },
  });
});

test('a web page from another server is not taken for a capture', async () => {
  const page = () => success(Buffer.from('<html>'), { 'content-type': 'text/html; charset=utf-8' });
  for (const operation of [captureScreenshot, capturePdf]) {
    await expect(run(operation, {}, page)).rejects.toMatchObject({
      message: 'The Base URL in the credential is wrong',
    });
  }
});

test('an item has isComplete only if the server says that its capture is incomplete', async () => {
  const late = { ...headers, 'x-capture-complete': 'false' };
  const { item } = await run(captureScreenshot, {}, () => success(Buffer.from('bytes'), late));
  expect(item?.json).toMatchObject({ isComplete: false });
  expect((await run(captureScreenshot, {}, image)).item?.json).not.toHaveProperty('isComplete');
});
