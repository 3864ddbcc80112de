import { ConsoleClient } from '../fixtures/console-client.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: ConsoleApp;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '8', SIGNPOST_RATE_PER_DAY: '20' });
  // In the middle of a day and of an hour, so that neither ends during the tests.
  app.pass((1.5 * DAY_MS + 0.5 * HOUR_MS - (app.now() % DAY_MS)) % DAY_MS);
  operator = await signInFirstOperator(app);
  await useKey();
  await operator.submit('/keys/1', { name: 'Backend', note: '', ends: '' }, '/keys/1/details');
});
afterAll(() => app.close());

const callTool = (postcode: string) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Api-Key': app.apiKey,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'lookup_postcode', arguments: { postcode } },
    }),
  });

/** Makes valid and invalid requests, also by MCP and a form, up to the limit per minute, and three above it. */
async function useKey(): Promise<void> {
  await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
  await app.post('/api/postcode/validate', { postcode: 'SW1A 1AA' });
  await app.post('/api/postcode/lookup', { postcode: 'a secret that was sent' });
  await app.post('/api/screenshot', { url: 'secret.example/private' });
  await (await callTool('SW1A 1AA')).text();
  await operator.submit('/reference/lookupPostcode', { key: '1', postcode: 'SW1A 1AA' });
  for (let count = 0; count < 5; count += 1) await app.get('/api/usage');
}

const textOf = async (path: string, client = operator) => {
  const answer = await client.get(path);
  const html = await answer.text();
  return { status: answer.status, html, text: html.replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ') };
};

const figureOf = (html: string, label: string) =>
  new RegExp(`<dt>${label.replaceAll(/[()]/gu, '\\$&')}</dt><dd>(?:<a [^>]+>)?([^<]*)<`, 'u').exec(html)?.[1];

/** The cells of the table row with this heading. */
const rowOf = (html: string, head: string) => {
  const [, row = ''] = new RegExp(`<th scope="row"[^>]*>${head}</th>(.*?)</tr>`, 'u').exec(html) ?? [];
  return [...row.matchAll(/<td[^>]*>([^<]*)<\/td>/gu)].map(([, cell]) => cell);
};

test.each(['minute', 'hour', 'day', 'month', 'quarter'])(
  'the usage of a %s shows successful, invalid and rejected requests, also those by MCP and a form',
  async (period) => {
    const { html } = await textOf(`/usage?period=${period}`);
    expect(
      ['Requests', 'Answered (2xx)', 'Wrong (4xx)', 'Failed (5xx)', 'Refused (not counted)'].map((label) =>
        figureOf(html, label),
      ),
    ).toEqual(['8', '6', '2', '0', '3']);
  },
);

test('usage is shown by operation, including calls from assistants and forms', async () => {
  const { html } = await textOf('/usage');
  expect(rowOf(html, 'Look up a postcode').slice(0, 4)).toEqual(['4', '1', '0', '0']);
  expect(rowOf(html, 'Get usage statistics').slice(0, 4)).toEqual(['2', '0', '0', '3']);
});

test('a key is shown by its name on the usage pages for owners and for operators', async () => {
  for (const path of ['/usage', '/operator/usage']) expect((await textOf(path)).text).toContain(' Backend ');
});

test('usage can be filtered by operation, key and project, and other accounts see none of it', async () => {
  const { html } = await textOf('/usage?operation=validatePostcode&key=1');
  expect(figureOf(html, 'Requests')).toBe('1');
  expect((await textOf('/usage?project=prj_none')).text).toContain('No request matches.');
  const stranger = new ConsoleClient(app.url);
  await stranger.submit('/signup', {
    email: 'bob@example.org',
    name: 'Bob',
    password: 'a long enough password',
  });
  const seen = await textOf('/usage?key=1', stranger);
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('No request matches.')]);
  expect((await textOf('/keys/1/requests', stranger)).status).toBe(404);
});

const day = (daysAgo: number) => new Date(app.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

test('usage of one day is shown by hour', async () => {
  const today = await textOf(`/usage?from=${day(0)}&to=${day(0)}&key=1`);
  expect(figureOf(today.html, 'Requests')).toBe('8');
  expect(today.html).toContain(`name="from" value="${day(0)}"`);
  expect(today.html).toContain('Requests per hour');
});

test('usage of many days is shown by day, within the days that are kept, even if the days are in the wrong order', async () => {
  const all = await textOf(`/operator/usage?from=${day(0)}&to=2020-01-01`);
  expect(figureOf(all.html, 'Requests')).toBe('8');
  expect(all.html).toMatch(new RegExp(`id="from"[^>]*value="${day(89)}"`, 'u'));
  expect(all.html).toContain('Requests per day');
});

test('the usage page says so if no request was on the chosen days, and ignores a text that is not a day', async () => {
  expect((await textOf(`/usage?from=${day(9)}&to=${day(5)}`)).text).toContain('No request matches.');
  expect((await textOf('/usage?from=someday')).html).toContain('Requests per hour');
});

/** The lines of the CSV that a page offers of its chart. */
async function csvOf(path: string): Promise<readonly string[]> {
  const { html } = await textOf(path);
  const [, file = ''] =
    /href="data:text\/csv;charset=utf-8,([^"]*)" download="signpost-[a-z-]+\.csv"/u.exec(html) ?? [];
  return decodeURIComponent(file).trimEnd().split('\r\n');
}

test('the values of the charts on the pages of usage, overview and key can be saved as CSV, with times in UTC', async () => {
  const hours = await csvOf('/usage');
  expect(hours[0]).toBe('time (UTC),Answered (2xx),Wrong (4xx),Failed (5xx),Refused (not counted)');
  expect(hours).toHaveLength(25);
  expect(hours.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z,6,2,0,3$/u);
  for (const path of ['/overview', '/keys/1']) {
    const days = await csvOf(path);
    expect([path, days[0], days.length]).toEqual([path, 'date (UTC),Requests', 31]);
    expect(days.at(-1)).toMatch(/^\d{4}-\d\d-\d\d,8$/u);
  }
});

test('the log of requests contains every request of a key, with its error message and no input', async () => {
  const { text } = await textOf('/requests?key=1');
  expect(text).toContain('&quot;url&quot; must be');
  expect(text).toContain('is used up. Try again in');
  expect(text).not.toMatch(/secret/u);
  expect(text).toContain('1 to 11 of 11');
});

describe('addresses of pages in the log of requests', () => {
  const turn = (state: string) => operator.submit('/account', { state }, '/account/page-logging');
  const capture = async () =>
    (await app.post('/api/pdf', { url: 'https://me:pass@example.org/report?token=secret#x' })).text();
  const log = async () => (await textOf('/requests?key=1')).html;

  beforeAll(() => app.pass(60_000));
  afterAll(() => turn('off'));

  test('addresses of captured pages are not logged unless the owner allows it', async () => {
    await capture();
    expect(await log()).not.toContain('example.org');
  });

  test('an owner can have page addresses logged, without user, password, query and fragment', async () => {
    expect((await turn('on')).headers.get('location')).toBe('/account?done=pages-on');
    await capture();
    const html = await log();
    expect(html.match(/https:\/\/example\.org\/report</gu)).toHaveLength(1);
    expect(html).not.toMatch(/secret|pass@/u);
    expect((await textOf('/requests?key=1&text=org/report')).text).toContain('1 to 1 of 1');
    expect((await textOf('/requests?key=1&text=elsewhere')).text).toContain('No request matches');
  });

  test('logged page addresses are deleted when the owner no longer allows them', async () => {
    await turn('on');
    await capture();
    expect(await log()).toContain('example.org');
    await turn('off');
    await turn('on');
    expect(await log()).not.toContain('example.org');
  });

  test("an owner's choice to have page addresses logged is audited", async () => {
    await turn('on');
    const { text } = await textOf('/operator/audit?kind=account.pages-on');
    expect(text).toMatch(/Addresses of pages kept in the log of requests operator@localhost/u);
  });

  test('addresses of captured pages are not in the output of the server', () => {
    expect(app.log()).not.toContain('example.org');
  });

  test('a choice about logging page addresses other than on and off is rejected', async () => {
    expect((await turn('ajar')).status).toBe(400);
  });
});

test('the log of requests of a key can be filtered by operation, outcome and request', async () => {
  expect((await textOf('/requests?key=1&operation=validatePostcode')).text).toContain('1 to 1 of 1');
  expect((await textOf('/requests?key=1&outcome=refused')).text).toContain('1 to 3 of 3');
  const id = (await app.get('/api/usage')).headers.get('X-Request-Id') ?? '';
  expect((await textOf(`/requests?key=1&text=${id}`)).text).toContain('1 to 1 of 1');
  expect((await textOf('/requests?key=1&text=none-such')).text).toContain('No request matches');
});

test('the log of requests of all keys can be filtered by time and by outcome', async () => {
  const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  const failed = await textOf('/requests?outcome=failed');
  expect(failed.text).toMatch(/1 to \d+ of \d+/u);
  expect(failed.html).not.toMatch(/class="badge good"/u);
  expect((await textOf(`/requests?from=${minute(app.now() + 120_000)}`)).text).toContain(
    'No request matches',
  );
  expect((await textOf(`/requests?to=${minute(app.now() + 120_000)}`)).text).toMatch(/1 to \d+ of/u);
});

/** The path of the page of a request with a 4xx status; empty if the log has none. */
async function failedRequest() {
  const log = await textOf('/requests?outcome=4xx');
  return /href="(\/requests\/[^"?]+)"/u.exec(log.html)?.[1] ?? '';
}

test('the overview links to the log of failed requests, and the page of a failed request says why it failed', async () => {
  const { text, html } = await textOf('/overview');
  expect(text).toContain('Without an answer in 24 hours');
  expect(html).toContain('href="/requests?outcome=failed"');
  const path = await failedRequest();
  const request = await textOf(path);
  expect(request.status).toBe(200);
  expect(request.html).toMatch(/<p class="notice">[^<]+ <span class="cure">[^<]+/u);
  expect(request.html).toContain('data-copy="request-text"');
  expect(request.html).toContain(`#again-${path.slice('/requests/'.length)}`);
});

test('an account does not see the requests of another account', async () => {
  const path = await failedRequest();
  const stranger = new ConsoleClient(app.url);
  await stranger.submit('/signup', {
    email: 'eve@example.org',
    name: 'Eve',
    password: 'a long enough password',
  });
  expect((await textOf(path, stranger)).status).toBe(404);
  expect((await textOf('/requests', stranger)).text).toContain('No request in the last 7 days');
});

test('figures and columns of the chart on the usage page are links to their requests', async () => {
  const { html } = await textOf('/usage?period=hour');
  expect(html).toMatch(/<dd><a href="\/requests\?outcome=4xx&amp;from=[^"]+">\d+</u);
  expect(html).toMatch(/<a href="\/requests\?from=[^"]+&amp;to=[^"]+" aria-label="[^"]+ Answered/u);
  expect(html).toContain('fill="url(#fill-wrong)"');
});

test('the operator page leads to the keys with the most requests, and from there to the requests of a key', async () => {
  const front = await textOf('/operator');
  expect(front.html).toContain('href="/operator/usage"');
  const { html, text } = await textOf('/operator/usage');
  expect(text).toContain(`Keys with the most requests`);
  const [, log = ''] = /href="(\/operator\/accounts\/[^"]+\/keys\/1\/requests)"/u.exec(html) ?? [];
  expect((await textOf(log)).text).toMatch(/1 to \d+ of \d+/u);
  expect((await textOf('/operator/usage?account=nobody')).html).toContain('No request matches');
  for (const path of ['/usage?keys=9', '/operator/usage?keys=9', '/operator/usage?accounts=9'])
    expect((await textOf(path)).html).toContain('rel="prev"');
});
