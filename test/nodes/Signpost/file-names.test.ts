import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { captureScreenshot } from '../../../nodes/Signpost/capture/capture-operations';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { fakeExecution, success } from '../fixtures/fake-execution';

const url = 'https://example.com/page?q=1';
const image = () => success(Buffer.from('bytes'), { 'content-type': 'image/jpeg' });

/** Captures these pages in one run and returns the names of their files, in the order of the items. */
async function namesOf(
  pages: readonly IDataObject[],
  run: { readonly executionId?: string; readonly runIndex?: number } = {},
) {
  const { context } = fakeExecution({
    ...run,
    parameters: pages.map((page) => ({ format: 'jpeg', ...page })),
    items: pages.map(() => ({})),
    // A page with "slow" in its address is answered after the others.
    answer: async ({ body }: IHttpRequestOptions) => {
      for (let turn = 0; JSON.stringify(body).includes('slow') && turn < 50; turn += 1)
        await Promise.resolve();
      return image();
    },
  });
  const client = new ServiceClient(context, signpostService);
  const items = await runOperation(context, client, captureScreenshot);
  for (const { json, binary } of items) expect(binary?.data?.fileName).toBe(json.fileName);
  return items.map(({ json }) => json.fileName);
}

test('the name of a picture has the extension of its format', async () => {
  const formats = ['png', 'jpeg', 'webp'].map((format) => ({ url: 'https://example.com/', format }));
  expect(await namesOf(formats)).toEqual(['example.com.png', 'example.com.jpg', 'example.com.webp']);
});

test('a file has the name of its page, made different by the query or a number, in the order of the items', async () => {
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
    'example.com-slow-page-2.jpg',
    'example.com-Slow-2.jpg',
    'example.com-a-b-ü-c.jpg',
    'example.com-%E0%A4%A.jpg',
    `example.com-${'x'.repeat(48)}.jpg`,
    '[-1].jpg',
  ]);
});

test('file names differ between the runs of one execution, as in a loop, and start again in the next execution', async () => {
  const front = { url: 'https://example.com/' };
  const inRun = (runIndex: number, page: IDataObject) =>
    namesOf([page, page], { executionId: '12', runIndex });
  expect(await inRun(0, front)).toEqual(['example.com.jpg', 'example.com-2.jpg']);
  expect(await inRun(1, front)).toEqual(['example.com-3.jpg', 'example.com-4.jpg']);
  expect(await inRun(2, { url: 'https://example.com/?q=b' })).toEqual([
    'example.com-q-b.jpg',
    'example.com-5.jpg',
  ]);
  expect(await inRun(3, named('shot'))).toEqual(['shot.jpg', 'shot-2.jpg']);
  expect(await inRun(4, named('shot'))).toEqual(['shot-3.jpg', 'shot-4.jpg']);
  expect(await namesOf([front], { executionId: '13' })).toEqual(['example.com.jpg']);
});

test('a repeated run gives the same file names', async () => {
  const page = { url: 'https://example.com/' };
  for (let tries = 0; tries < 2; tries += 1)
    expect(await namesOf([page, page], { executionId: '14', runIndex: 0 })).toEqual([
      'example.com.jpg',
      'example.com-2.jpg',
    ]);
});

test('a run whose earlier runs were in another process has its number in the file names', async () => {
  const page = { url: 'https://example.com/' };
  expect(await namesOf([page, page], { executionId: '15', runIndex: 2 })).toEqual([
    'example.com-run-3.jpg',
    'example.com-run-3-2.jpg',
  ]);
});

test('no file name contains a long value of a query, which may be secret', async () => {
  const secret = 'x'.repeat(21);
  const pages = ['https://example.com/', `https://example.com/?token=${secret}&q=cats%2Fdogs`].map((url) => ({
    url,
  }));
  expect(await namesOf(pages)).toEqual(['example.com.jpg', 'example.com-q-cats-dogs.jpg']);
  expect(await namesOf([...pages.slice(0, 1), { url: `https://example.com/?token=${secret}` }])).toEqual([
    'example.com.jpg',
    'example.com-2.jpg',
  ]);
});

const named = (fileName: string) => ({ url, options: { fileName } });

test('chosen file names that are equal, or differ only in case, get numbers; one with another extension does not', async () => {
  expect(
    await namesOf(['front.jpeg', 'front.jpeg', 'FRONT-2.jpeg', 'front', 'front.jpg', 'front.png'].map(named)),
  ).toEqual(['front.jpeg', 'front-2.jpeg', 'FRONT-2-2.jpeg', 'front.jpg', 'front-2.jpg', 'front.png']);
});

test('a file name counts as used if it differs only in its Unicode form', async () => {
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
])('the chosen file name %p becomes one that every file system accepts', async (fileName, expected) => {
  expect(await namesOf([named(fileName)])).toEqual([expected]);
});

test('the file name of a page whose host is a reserved name becomes one that every file system accepts', async () => {
  expect(await namesOf([{ url: 'https://aux.example.com/' }])).toEqual(['_aux.example.com.jpg']);
});
