import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';
import { SignpostTrigger } from '../../../nodes/SignpostTrigger/SignpostTrigger.node.js';
import { httpFailure, networkFailure, success } from '../fixtures/fake-execution';
import { property } from '../../../nodes/shared/values';
import { asPoll } from '../fixtures/trusted-cast';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);
const URL = 'https://example.com/prices';

beforeEach(() => jest.useFakeTimers({ now: START_MS }));
afterEach(() => jest.useRealTimers());

const textAnswer = (content: string) =>
  success({ result: { url: URL, title: 'Prices', pageStatus: 200, content } });
const pictureAnswer = (bytes: string) =>
  success(Buffer.from(bytes), { 'content-type': 'image/png', 'x-page-status': '200' });

/** A published workflow that watches a page. `poll` lets some minutes pass and then calls the node, as n8n does. */
function watching(parameters: IDataObject, mode = 'trigger', typeVersion = 1) {
  const kept: IDataObject = {};
  const requests: IHttpRequestOptions[] = [];
  let answer: () => unknown = () => textAnswer('Tea 1.00');
  const given: IDataObject = { url: URL, watch: 'text', everyMinutes: 60, options: {}, ...parameters };
  const context = asPoll({
    getNode: () => ({
      name: 'Trigger',
      type: 'n8n-nodes-signpost.signpostTrigger',
      typeVersion,
      credentials: { httpBasicAuth: { id: '2', name: 'The site' } },
    }),
    getActivationMode: () => 'activate',
    getMode: () => mode,
    getNodeParameter: (name: string, fallback?: unknown) => given[name] ?? fallback,
    getWorkflowStaticData: () => kept,
    getCredentials: (type: string) =>
      Promise.resolve(
        type === 'httpBasicAuth'
          ? { user: 'ada', password: 'canary-7c1f' }
          : { baseUrl: 'http://signpost.test/' },
      ),
    helpers: {
      httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
        requests.push(request);
        return await Promise.resolve(answer());
      },
      prepareBinaryData: (data: Buffer, fileName?: string, mimeType?: string) =>
        Promise.resolve({ data: data.toString('base64'), fileName, mimeType }),
    },
  });
  return {
    kept,
    requests,
    given,
    answers: (next: () => unknown) => (answer = next),
    async poll(afterMinutes: number): Promise<INodeExecutionData | null> {
      jest.setSystemTime(Date.now() + afterMinutes * MINUTE_MS);
      return (await new SignpostTrigger().poll.call(context))?.[0]?.[0] ?? null;
    },
  };
}

test('a changed text starts the workflow, with the text before and after; an unchanged one does not', async () => {
  const page = watching({});
  expect(await page.poll(0)).toBeNull();
  expect(await page.poll(60)).toBeNull();
  page.answers(() => textAnswer('Tea 1.20'));
  expect((await page.poll(60))?.json).toEqual({
    url: URL,
    watched: 'text',
    title: 'Prices',
    pageStatus: 200,
    checkedAt: new Date(START_MS + 120 * MINUTE_MS).toISOString(),
    before: 'Tea 1.00',
    after: 'Tea 1.20',
  });
  expect(await page.poll(60)).toBeNull();
  expect(page.requests).toHaveLength(4);
});

test('a page is requested once per interval of five minutes, even if n8n polls every minute', async () => {
  const page = watching({ everyMinutes: 5 });
  for (let minute = 0; minute < 11; minute += 1) await page.poll(1);
  expect(page.requests).toHaveLength(3);
});

test('a failed check reports the reason, waits for the next interval, and keeps the stored state', async () => {
  const page = watching({});
  await page.poll(0);
  page.answers(() => {
    throw httpFailure(400, { error: 'The page cannot be reached.' });
  });
  await expect(page.poll(60)).rejects.toThrow('The page cannot be reached.');
  expect(await page.poll(1)).toBeNull();
  page.answers(() => textAnswer('Tea 1.20'));
  expect((await page.poll(59))?.json).toMatchObject({ before: 'Tea 1.00', after: 'Tea 1.20' });
  expect(page.requests).toHaveLength(3);
});

test('a changed picture is passed on, and only a hash of it is stored', async () => {
  const page = watching({ watch: 'picture', selector: '#price', binaryPropertyName: 'picture' });
  page.answers(() => pictureAnswer('one'));
  expect(await page.poll(0)).toBeNull();
  page.answers(() => pictureAnswer('two'));
  const item = await page.poll(60);
  expect(item?.json).toMatchObject({
    watched: 'picture',
    selector: '#price',
    binaryField: 'picture',
    pageStatus: 200,
  });
  expect(item?.binary?.picture).toMatchObject({
    data: Buffer.from('two').toString('base64'),
    fileName: 'example.com-prices.png',
  });
  expect(page.requests[0]?.body).toEqual({ url: URL, selector: '#price', failOnPageStatus: true });
  expect(page.kept.text).toBeNull();
  expect(page.kept.mark).toMatch(/^[\da-f]{64}$/u);
});

test('a check of an element hides the rest of the page, and waits for the element', async () => {
  const page = watching({ selector: '#price', options: { css: '#price { color: red }' } });
  await page.poll(0);
  const { body } = page.requests[0] ?? {};
  expect(body).toMatchObject({ format: 'text', mainContentOnly: false, waitForSelector: '#price' });
  expect(body).toMatchObject({
    css: expect.stringMatching(/^#price \{ color: red \}\nbody, body :not\(:is\(#price\)/u),
  });
});

test.each<[string, IDataObject]>([
  ['address', { url: 'https://example.com/offers' }],
  ['selector', { selector: '#price' }],
  ['options', { options: { hideSelectors: ['.old'] } }],
])('a change of the %s starts a new comparison', async (_what, change) => {
  const page = watching({});
  await page.poll(0);
  Object.assign(page.given, change);
  page.answers(() => textAnswer('1.20'));
  expect(await page.poll(1)).toBeNull();
  page.answers(() => textAnswer('1.30'));
  expect((await page.poll(60))?.json).toMatchObject({ before: '1.20', after: '1.30' });
});

test('a test in the editor returns the current page, and stores nothing', async () => {
  const page = watching({}, 'manual');
  expect((await page.poll(0))?.json).toMatchObject({ before: null, after: 'Tea 1.00' });
  expect((await page.poll(0))?.json).toMatchObject({ after: 'Tea 1.00' });
  expect(page.kept).toEqual({});
});

test('an empty address is reported before a request', async () => {
  const page = watching({ url: ' ' });
  await expect(page.poll(0)).rejects.toThrow('URL is empty');
  expect(page.requests).toEqual([]);
});

test('the trigger offers waitForSelector, hideSelectors and css, but not maxAgeSeconds, offset, selector and failOnPageStatus', () => {
  const { properties } = new SignpostTrigger().description;
  const names = (properties.find(({ name }) => name === 'options')?.options ?? []).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['waitForSelector', 'hideSelectors', 'css']));
  for (const name of ['maxAgeSeconds', 'offset', 'selector', 'failOnPageStatus'])
    expect(names).not.toContain(name);
});

const pageStatus = (status: number) => () => {
  throw httpFailure(400, {
    error: `The page answers with the status ${status}. Leave "failOnPageStatus" out to capture it as it is.`,
  });
};

test('an error page is a failed check, and is not stored for comparison', async () => {
  const page = watching({ selector: '#price' });
  await page.poll(0);
  page.answers(pageStatus(500));
  await expect(page.poll(60)).rejects.toThrow(/^The page answers with the status 500\.$/u);
  page.answers(() => textAnswer('Tea 1.00'));
  expect(await page.poll(60)).toBeNull();
  expect(page.requests[0]?.body).toMatchObject({ failOnPageStatus: true });
});

test('publishing while the page is down succeeds, and does not store that state for comparison', async () => {
  const page = watching({});
  page.answers(pageStatus(503));
  expect(await page.poll(0)).toBeNull();
  expect(page.kept.mark).toBeUndefined();
  await expect(page.poll(60)).rejects.toThrow('503');
  page.answers(() => textAnswer('Tea 1.00'));
  expect(await page.poll(60)).toBeNull();
  page.answers(() => textAnswer('Tea 1.20'));
  expect((await page.poll(60))?.json).toMatchObject({ before: 'Tea 1.00' });
});

test('publishing with a wrong key fails at once', async () => {
  const page = watching({});
  page.answers(() => {
    throw httpFailure(401, { error: 'The API key is unknown.' });
  });
  await expect(page.poll(0)).rejects.toThrow('The API key is unknown.');
});

test("in new workflows, only n8n's Poll Times decide when a page is checked", async () => {
  const page = watching({}, 'trigger', 1.1);
  for (let minute = 0; minute < 3; minute += 1) await page.poll(1);
  expect(page.requests).toHaveLength(3);
  const shown = (name: string) =>
    new SignpostTrigger().description.properties.find((parameter) => parameter.name === name)?.displayOptions;
  expect(shown('everyMinutes')).toEqual({ show: { '@version': [{ _cnd: { lt: 1.1 } }] } });
});

test('text that matches an ignore pattern is left out of the comparison, and stays in the output', async () => {
  const page = watching({ options: { ignorePatterns: ['Visitors: \\d+', '/UPDATED .*/i'] } });
  page.answers(() => textAnswer('Tea 1.00\nVisitors: 7\nUpdated 10:00'));
  await page.poll(0);
  page.answers(() => textAnswer('Tea 1.00\nVisitors: 8\nUpdated 11:00'));
  expect(await page.poll(60)).toBeNull();
  page.answers(() => textAnswer('Tea 1.20\nVisitors: 9\nUpdated 12:00'));
  expect((await page.poll(60))?.json).toMatchObject({ after: 'Tea 1.20\nVisitors: 9\nUpdated 12:00' });
  const broken = watching({ options: { ignorePatterns: ['('] } });
  await expect(broken.poll(0)).rejects.toThrow('Ignore Patterns has no valid regular expression: (');
});

test('a watched picture can be of the full page, of another window size, and have a name', async () => {
  const options = { fullPage: true, width: 800, height: 600, fileName: 'shop' };
  const page = watching({ watch: 'picture', options });
  page.answers(() => pictureAnswer('one'));
  await page.poll(0);
  page.answers(() => pictureAnswer('two'));
  expect((await page.poll(60))?.json).toMatchObject({ fileName: 'shop.png' });
  expect(page.requests[0]?.body).toMatchObject({ fullPage: true, width: 800, height: 600 });
});

test('the request of a check times out after 45 seconds, and a check does not wait for a busy server', async () => {
  const page = watching({ options: { timeoutMs: 600_000 } });
  await page.poll(0);
  expect(page.requests[0]).toMatchObject({ timeout: 45_000, body: { timeoutMs: 40_000 } });
  page.answers(() => {
    throw httpFailure(503, { error: 'Busy.' }, { 'retry-after': '11' });
  });
  await expect(page.poll(60)).rejects.toThrow('Busy.');
});

test('a check that ends without an answer advises to set a Timeout, unless one is set', async () => {
  const silent = () => {
    throw networkFailure('ECONNABORTED');
  };
  for (const [options, advice] of [
    [{}, 'set Timeout (Milliseconds) to 40000 or less'],
    [{ timeoutMs: 20_000 }, 'no firewall'],
  ] as const) {
    const page = watching({ options });
    await page.poll(0);
    page.answers(silent);
    const error: unknown = await page.poll(60).catch((reason: unknown) => reason);
    const description = property(error, 'description');
    expect(description).toContain(advice);
    expect(String(description).includes('Timeout')).toBe(!('timeoutMs' in options));
  }
});

test.each(['text', 'picture'])(
  'a %s behind a sign-in is watched with the credential, whose password is not stored',
  async (watch) => {
    const values = [{ action: 'fill', fill: '#password', value: '{password}' }];
    const page = watching({ watch, signinCookiesAndHeadersOptions: { steps: { values } } }, 'trigger', 1.1);
    if (watch === 'picture') page.answers(() => pictureAnswer('pixels'));
    await page.poll(0);
    const steps = [{ fill: '#password', value: 'canary-7c1f' }];
    expect(page.requests[0]?.body).toMatchObject({ steps });
    expect(JSON.stringify(page.kept)).not.toContain('canary');
  },
);
