import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
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
  const client = new ServiceClient(context, await signpostService(context));
  const [item] = await runOperation(context, client, operation);
  return { item, request: requests[0] };
}

const image = () => success(Buffer.from('bytes'), headers);

test('the file goes into the field that the user names, and the JSON stands alone', async () => {
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

test('what the user has not set is left to the server, and texts of expressions become what they mean', async () => {
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

test('of a part of a page the JSON says how tall the page is and how many parts it has', async () => {
  const { item } = await run(captureScreenshot, { options: { part: 2 } }, () =>
    success(Buffer.from('bytes'), { ...headers, 'x-page-height': '2500', 'x-page-parts': '3' }),
  );
  expect(item?.json).toMatchObject({ pageHeight: 2_500, pageParts: 3 });
});

/** Captures these pages in one run and answers the names of their files, in the order of the items. */
async function namesOf(pages: readonly IDataObject[]) {
  const { context } = fakeExecution({
    parameters: pages.map((page) => ({ format: 'jpeg', ...page })),
    items: pages.map(() => ({})),
    // The first page is the slowest.
    answer: async ({ body }: IHttpRequestOptions) => {
      for (let turn = 0; JSON.stringify(body).includes('slow') && turn < 50; turn += 1)
        await Promise.resolve();
      return image();
    },
  });
  const client = new ServiceClient(context, await signpostService(context));
  const items = await runOperation(context, client, captureScreenshot);
  for (const { json, binary } of items) expect(binary?.data?.fileName).toBe(json.fileName);
  return items.map(({ json }) => json.fileName);
}

test('a picture has the extension of its format', async () => {
  const formats = ['png', 'jpeg', 'webp'].map((format) => ({ url: 'https://example.com/', format }));
  expect(await namesOf(formats)).toEqual(['example.com.png', 'example.com.jpg', 'example.com.webp']);
});

test('a file has the name of its page, and those of one run differ, numbered in the order of the items', async () => {
  const urls = [
    'https://example.com/slow/',
    'https://example.com/',
    'https://example.com/slow?page=2',
    'https://EXAMPLE.com/Slow#three',
    'https://example.com/a%2Fb/%C3%BC:c',
    'https://example.com/%E0%A4%A',
    `https://example.com/${'x'.repeat(300)}`,
    'https://[::1]:8080/',
  ];
  expect(await namesOf(urls.map((one) => ({ url: one })))).toEqual([
    'example.com-slow.jpg',
    'example.com.jpg',
    'example.com-slow-2.jpg',
    'example.com-Slow-3.jpg',
    'example.com-a-b-ü-c.jpg',
    'example.com-%E0%A4%A.jpg',
    `example.com-${'x'.repeat(48)}.jpg`,
    '[-1].jpg',
  ]);
});

const named = (fileName: string) => ({ url, options: { fileName } });

test('names that the user chose are kept apart too, and those that differ stay', async () => {
  expect(
    await namesOf(['front.jpeg', 'front.jpeg', 'FRONT-2.jpeg', 'front', 'front.jpg', 'front.png'].map(named)),
  ).toEqual(['front.jpeg', 'front-2.jpeg', 'FRONT-2-2.jpeg', 'front.jpg', 'front-2.jpg', 'front.png']);
});

test('two spellings of one letter are one name', async () => {
  expect(await namesOf(['\u00fc.png', 'u\u0308.png'].map(named))).toEqual(['\u00fc.png', 'u\u0308-2.png']);
});

test.each([
  [`${'x'.repeat(300)}.png`, `${'x'.repeat(60)}.png`],
  ['shot\u202egnp.jpg', 'shotgnp.jpg'],
  ['\u200b.hidden', 'hidden.jpg'],
  ['con', '_con.jpg'],
  ['NUL.png', '_NUL.png'],
  ['com1.page.png', '_com1.page.png'],
  ['console.png', 'console.png'],
])('the name %p that the user chose is one that every file system takes', async (fileName, expected) => {
  expect(await namesOf([named(fileName)])).toEqual([expected]);
});

test('the name of a page whose host a file system reserves is one that it takes', async () => {
  expect(await namesOf([{ url: 'https://aux.example.com/' }])).toEqual(['_aux.example.com.jpg']);
});

const files = { letter: { data: 'TA==', mimeType: 'text/plain' } };

test.each([
  [1, {}, false],
  [1, { keepInput: true }, true],
  [1.1, {}, true],
  [1.1, { keepInput: false }, false],
])('version %p with %j: an item keeps its fields and files: %p', async (typeVersion, options, isKept) => {
  for (const output of ['binary', 'base64']) {
    const { context } = fakeExecution({
      parameters: { url, output, options },
      items: [{ customer: 'Ada', url: 'old' }],
      files,
      typeVersion,
      answer: image,
    });
    const client = new ServiceClient(context, await signpostService(context));
    const [item] = await runOperation(context, client, captureScreenshot);
    expect(item?.json).toMatchObject({ url, mimeType: 'image/jpeg' });
    expect(item?.json.customer).toBe(isKept ? 'Ada' : undefined);
    expect(item?.binary?.letter).toEqual(isKept ? files.letter : undefined);
    expect(Object.keys(item?.binary ?? {})).toHaveLength((isKept ? 1 : 0) + (output === 'binary' ? 1 : 0));
  }
});

/** A screenshot of version 1.1 of an item that came with these fields, and with a file of the field `data`. */
async function capturedAfter(json: IDataObject, parameters: IDataObject = {}) {
  const { context } = fakeExecution({
    parameters: { url, ...parameters },
    items: [json],
    files: { data: files.letter },
    typeVersion: 1.1,
    answer: image,
  });
  const client = new ServiceClient(context, await signpostService(context));
  const [item] = await runOperation(context, client, captureScreenshot);
  return item;
}

test('a file and a field of the same name are replaced; another name keeps both files', async () => {
  const replaced = await capturedAfter({ mimeType: 'of before' });
  expect(replaced?.binary).toEqual({ data: expect.objectContaining({ mimeType: 'image/jpeg' }) });
  expect(replaced?.json.mimeType).toBe('image/jpeg');
  const both = await capturedAfter({}, { binaryPropertyName: 'picture' });
  expect(both?.binary).toEqual({
    data: files.letter,
    picture: expect.objectContaining({ mimeType: 'image/jpeg' }),
  });
});

test('what described an earlier capture does not describe the next one', async () => {
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
])('an item that came back from an error output with %j and is captured keeps %j', async (came, kept) => {
  const { json = {} } = (await capturedAfter({ customer: 'Ada', ...came })) ?? {};
  const { customer, error, details } = json;
  expect(customer).toBe('Ada');
  expect({
    ...(error === undefined ? {} : { error }),
    ...(details === undefined ? {} : { details }),
  }).toEqual(kept);
});

test('a PDF says how many pages it has', async () => {
  const { item } = await run(capturePdf, {}, () =>
    success(Buffer.from('%PDF'), { 'content-type': 'application/pdf', 'x-page-count': '3' }),
  );
  expect(item?.json).toMatchObject({ fileName: 'example.com-page.pdf', pageCount: 3, captureTimeMs: null });
});

test.each([
  ['base64', { base64: 'Ynl0ZXM=' }],
  ['dataUrl', { dataUrl: 'data:image/jpeg;base64,Ynl0ZXM=' }],
])('%s puts the file into the JSON, for agents', async (output, expected) => {
  const { item } = await run(captureScreenshot, { output }, image);
  expect(item?.json).toMatchObject(expected);
  expect(item?.binary).toBeUndefined();
});

test('a file too large for the JSON is an error that says what to change', async () => {
  const large = () => success(Buffer.alloc(2_049), headers);
  await expect(
    run(captureScreenshot, { output: 'base64', options: { maximumJsonKilobytes: 2 } }, large),
  ).rejects.toMatchObject({
    message: 'The file has 3 KB, more than the 2 KB that may go into the JSON',
    description: expect.stringContaining('Choose JPEG'),
  });
});

test('a refusal in bytes is read for an item that goes on as failed', async () => {
  const refused = () => Promise.reject(httpFailure(400, Buffer.from('{"error":"No such host."}')));
  const { item } = await run(captureScreenshot, {}, refused, true);
  expect(item).toMatchObject({
    json: { error: 'No such host.', details: { httpStatus: 400 } },
    pairedItem: { item: 0 },
  });
});

test('a page that some other server answers is not taken for a capture', async () => {
  const page = () => success(Buffer.from('<html>'), { 'content-type': 'text/html; charset=utf-8' });
  for (const operation of [captureScreenshot, capturePdf]) {
    await expect(run(operation, {}, page)).rejects.toMatchObject({ message: 'The server answered no file' });
  }
});

test('a capture of a page that took too long says so, and no other does', async () => {
  const late = { ...headers, 'x-capture-complete': 'false' };
  const { item } = await run(captureScreenshot, {}, () => success(Buffer.from('bytes'), late));
  expect(item?.json).toMatchObject({ isComplete: false });
  expect((await run(captureScreenshot, {}, image)).item?.json).not.toHaveProperty('isComplete');
});
