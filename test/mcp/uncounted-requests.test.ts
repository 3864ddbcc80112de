import { errorBody, usageStatistics } from '@signpost/contract';
import { answerOf } from '../fixtures/answers.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { connectHttp } from './support/clients.js';

const MAX_UNCOUNTED = 60;
const MINUTE_MS = 60_000;

let app: ConsoleApp;
beforeEach(async () => {
  app = await startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '15', SIGNPOST_RATE_PER_DAY: '3' });
});
afterEach(() => app.close());

const message = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const lookup = (postcode: unknown) =>
  message('tools/call', { name: 'lookup_postcode', arguments: { postcode } });
const send = (body: unknown) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Api-Key': app.first.key,
    },
    body: JSON.stringify(body),
  });

async function statusesOf(body: unknown, times: number) {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const answer = await send(body);
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}
const all = (status: number, times: number) => Array<number>(times).fill(status);

const countedSoFar = async () => {
  const headers = { 'X-Api-Key': app.first.key };
  const { body } = await answerOf(fetch(`${app.url}/api/usage`, { headers }), usageStatistics);
  return body.totalRequests;
};

/** Messages that are not tool calls: the name in the title, the message, and the status of its response. */
const UNCOUNTED: readonly (readonly [what: string, body: object, answered: number])[] = [
  ...['tools/list', 'prompts/list', 'no/such/method'].map(
    (method) => [method, message(method), 200] as const,
  ),
  ['reads of the edition', message('resources/read', { uri: 'signpost://directory' }), 200],
  ['reads of what is not there', message('resources/read', { uri: 'signpost://nothing' }), 200],
];

test.each(UNCOUNTED)(
  '%s: 60 messages a minute are answered for a key, the next gets 429, and a tool call still works',
  async (_what, body, answered) => {
    expect(await statusesOf(body, MAX_UNCOUNTED)).toEqual(all(answered, MAX_UNCOUNTED));
    const refused = await send(body);
    expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true]);
    expect(errorBody.parse(await refused.json()).error).toContain('at most 60 in a minute');
    expect((await send(lookup('SW1A 1AA'))).status).toBe(200);
    app.pass(2 * MINUTE_MS);
    expect((await send(body)).status).toBe(answered);
    expect(await countedSoFar()).toBe(2);
  },
);

test('tools/list is answered even if the daily limit of the key is used up', async () => {
  for (let call = 0; call < 4; call += 1) await send(lookup('SW1A 1AA'));
  const answer = await send(message('tools/list'));
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('lookup_postcode')]);
});

test('tool calls with wrong arguments or beyond the daily limit are limited to 60 a minute', async () => {
  expect(await statusesOf(lookup({}), MAX_UNCOUNTED)).toEqual(all(200, MAX_UNCOUNTED));
  expect(await statusesOf(lookup('SW1A 1AA'), 2)).toEqual([429, 429]);
  expect((await send(message('tools/list'))).status).toBe(200);
  app.pass(2 * MINUTE_MS);
  expect(await statusesOf(lookup('SW1A 1AA'), 3 + MAX_UNCOUNTED)).toEqual(all(200, 3 + MAX_UNCOUNTED));
  expect((await send(lookup('SW1A 1AA'))).status).toBe(429);
});

test('ping and notifications are each answered 120 times in a minute for a key', async () => {
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect(await statusesOf(message('ping'), 2 * MAX_UNCOUNTED)).toEqual(all(200, 2 * MAX_UNCOUNTED));
  expect(await statusesOf(initialized, 2 * MAX_UNCOUNTED)).toEqual(all(202, 2 * MAX_UNCOUNTED));
});

test('each message of a batch counts against the limit of 60 a minute, and a batch has at most 20 messages', async () => {
  const lists = (count: number) => Array.from({ length: count }, (_, id) => message('prompts/list', {}, id));
  const tooLong = await send(lists(21));
  expect([tooLong.status, await tooLong.text()]).toEqual([
    400,
    expect.stringContaining('at most 20 messages'),
  ]);
  expect(await statusesOf(lists(20), 2)).toEqual([200, 200]);
  expect((await send(lists(19))).status).toBe(200);
  expect((await send(lists(20))).status).toBe(429);
  expect((await send(message('prompts/list'))).status).toBe(429);
});

test("the SDK's client gets the message of the limit on uncounted messages, and can still call a tool", async () => {
  const { client, close } = await connectHttp(`${app.url}/mcp`, { 'X-Api-Key': app.first.key });
  const flood = async () => {
    for (;;) await client.listPrompts();
  };
  await expect(flood()).rejects.toThrow(/at most 60 in a minute are answered for a key/u);
  const { content } = await client.callTool({ name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } });
  expect(JSON.stringify(content)).toContain('Westminster');
  await close();
});
