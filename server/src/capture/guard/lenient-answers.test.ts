import { createServer as createRawServer, type Socket } from 'node:net';
import { createServer, request } from 'node:http';
import { listen } from '../../../../test/fixtures/capture/listen.js';
import { openSystemNames } from '../../platform/names/name-lookups.js';
import { createAddressPolicy } from './address-policy.js';
import { startEgressProxy, type EgressProxy, type GuardLane } from './egress-proxy.js';
import { createHostResolvers } from './host-resolver.js';

let proxy: EgressProxy;
let lane: GuardLane;

beforeAll(async () => {
  proxy = await startEgressProxy(
    createHostResolvers({ isAllowed: createAddressPolicy(['127.0.0.1']), openLookups: openSystemNames() }),
  );
  lane = await proxy.openLane();
});

afterAll(() => proxy.close());

interface Answer {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends a request through the guard as a browser does. */
const ask = (path: string, body = '', method = body === '' ? 'GET' : 'POST') =>
  new Promise<Answer>((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: Number(new URL(lane.proxy.server).port), path, method },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, body: text }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });

/**
 * Lets an origin respond with this text. Returns the response that comes through the guard, or the reason why none
 * does, and how many requests the origin got.
 */
async function through(answer: string, method = 'GET') {
  let requests = 0;
  const sockets = new Set<Socket>();
  const origin = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      socket.end(answer, 'latin1');
    });
  });
  const port = await listen(origin, '127.0.0.1');
  const url = `http://127.0.0.1:${port}/`;
  try {
    const outcome = await ask(url, '', method).catch(() => lane.rejections.rejectionOf(url)?.reason);
    return { outcome, requests };
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => origin.close(resolve));
  }
}

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n\r\n`;
const hello = (...headers: readonly string[]) =>
  `${lines('HTTP/1.1 200 OK', 'Connection: close', ...headers)}hello`;

test.each<[string, readonly string[]]>([
  ['a space before the colon', ['Content-Type : text/plain', 'Content-Length: 5']],
  ['a space before the colon of the length', ['Content-Type: text/plain', 'Content-Length : 5']],
  ['a space in a name', ['X Odd: 1', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['a control character in a name', ['X\x01Odd: 1', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['a control character in a value', ['X-Odd: a\x01b', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['a name in brackets', ['(x): 1', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['a line without a colon', ['nonsense', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['an empty name', [': 1', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['the same length twice', ['Content-Length: 5', 'Content-Type: text/plain', 'Content-Length: 5']],
  ['the same length in a list', ['Content-Length: 5, 5', 'Content-Type: text/plain']],
  ['no length', ['X Odd: 1', 'Content-Type: text/plain']],
])('passes on a response with %s without the invalid part', async (_what, headers) => {
  const { outcome } = await through(hello(...headers));
  expect(outcome).toMatchObject({ status: 200, body: 'hello' });
  const names = typeof outcome === 'object' ? outcome.rawHeaders.filter((_, at) => at % 2 === 0) : [];
  expect(names).toContain('Content-Type');
  expect(names.filter((name) => /odd|[^\w-]/iu.test(name))).toEqual([]);
});

test('passes on the body of a response that is sent in chunks and has invalid header lines', async () => {
  const chunks = lines('HTTP/1.1 200 OK', 'X Odd: 1', 'Transfer-Encoding : chunked', 'Connection: close');
  const { outcome } = await through(`${chunks}5\r\nhello\r\n0\r\n\r\n`);
  expect(outcome).toMatchObject({ status: 200, body: 'hello' });
});

test('passes on a response with an invalid reason phrase', async () => {
  expect((await through(`${lines('HTTP/1.1 404 N\x01o', 'Content-Length: 5')}hello`)).outcome).toMatchObject({
    status: 404,
    body: 'hello',
  });
});

test.each<[string, string]>([
  ['lengths that differ', hello('Content-Length: 5', 'Content-Length: 6')],
  ['lengths that differ in a list', hello('Content-Length: 5, 6')],
  ['lengths that differ, one with a space', hello('Content-Length: 5', 'Content-Length : 2')],
  ['a length with a plus sign', hello('X Odd: 1', 'Content-Length: +5')],
  [
    'an odd length beside chunks',
    hello('Content-Length: 5', 'Content-Length: 6', 'Transfer-Encoding: chunked'),
  ],
  ['an unknown encoding of the body', hello('X Odd: 1', 'Transfer-Encoding: chunked, odd')],
  ['no status', lines('HELLO', 'X Odd: 1')],
])('rejects a response with %s', async (_what, answer) => {
  expect((await through(answer)).outcome).toBe('badAnswer');
});

test('sends a request a second time only if its response is invalid and the request changes nothing', async () => {
  const odd = hello('X Odd: 1', 'Content-Length: 5', 'Content-Length: 5');
  expect((await through(odd, 'HEAD')).requests).toBe(2);
  expect(await through(odd, 'POST')).toEqual({ outcome: 'badAnswer', requests: 1 });
  expect((await through(hello('Content-Length: 5'))).requests).toBe(1);
});

test('passes on a response that arrives before the whole request body was sent, in each of 20 rounds', async () => {
  const origin = createServer((_request, response) => void response.end('early'));
  const port = await listen(origin, '127.0.0.1');
  const body = 'x'.repeat(3_000_000);
  try {
    for (let round = 0; round < 20; round += 1)
      expect(await ask(`http://127.0.0.1:${port}/`, body)).toMatchObject({ status: 200, body: 'early' });
  } finally {
    origin.closeAllConnections();
    await new Promise((resolve) => origin.close(resolve));
  }
});

test('passes on a response that arrives before the end of the request body, even if the connection then closes', async () => {
  const origin = createServer((_request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large');
  });
  const port = await listen(origin, '127.0.0.1');
  try {
    for (let round = 0; round < 20; round += 1)
      expect(await ask(`http://127.0.0.1:${port}/`, 'x'.repeat(3_000_000))).toMatchObject({
        status: 413,
        body: 'too large',
      });
  } finally {
    origin.closeAllConnections();
    await new Promise((resolve) => origin.close(resolve));
  }
});

test('rejects too many interim responses, and passes on the response after a few', async () => {
  const interim = `${'HTTP/1.1 100\n\n'.repeat(2_000)}HTTP/1.1 200\nX y: z\n\nwords`;
  expect((await through(interim)).outcome).toBe('badAnswer');
  const few = `${'HTTP/1.1 103 \nX y: z\n\n'.repeat(3)}HTTP/1.1 200 \nX y: z\n\nwords`;
  expect((await through(few)).outcome).toMatchObject({ status: 200, body: 'words' });
});
