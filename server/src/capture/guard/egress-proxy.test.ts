import { connect, createServer as createRawServer } from 'node:net';
import { Agent, createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import { listen } from '../../../../test/fixtures/capture/listen.js';
import { createAddressPolicy } from './address-policy.js';
import { startEgressProxy, type EgressProxy, type GuardLane } from './egress-proxy.js';
import { listenForBrowsers, LOOPBACK } from './exposure.js';
import { createHostResolvers } from './host-resolver.js';
import { openSystemNames } from '../../platform/names/name-lookups.js';

let proxy: EgressProxy;
let lane: GuardLane;
let originPort: number;
let seen: IncomingHttpHeaders = {};
let onAsked: (() => void) | undefined;
let onGivenUp: (() => void) | undefined;

const resolvers = (allowed: readonly string[]) =>
  createHostResolvers({ isAllowed: createAddressPolicy(allowed), openLookups: openSystemNames() });
const portOf = ({ proxy: { server } }: GuardLane) => Number(new URL(server).port);

const origin = createServer((incoming, response) => {
  seen = incoming.headers;
  onAsked?.();
  if (incoming.url === '/held') {
    response.once('close', () => onGivenUp?.());
    return;
  }
  response.writeHead(200, { connection: 'x-hop', 'x-hop': '1', 'x-kept': '1', 'set-cookie': ['a=1', 'b=2'] });
  response.end('origin');
});

beforeAll(async () => {
  originPort = await listen(origin, '127.0.0.1');
  proxy = await startEgressProxy(resolvers(['127.0.0.1']));
  lane = await proxy.openLane();
});

afterAll(async () => {
  await proxy.close();
  origin.closeAllConnections();
  await new Promise((resolve) => origin.close(resolve));
});

const ask = (path: string, headers: Record<string, string> = {}, agent?: Agent) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(lane), path, headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .once('error', reject)
      .end();
  });

const sendRaw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(portOf(lane), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', reject);
  });

test('passes on headers in both directions, except those for a single hop', async () => {
  const { headers } = await ask(`http://127.0.0.1:${originPort}/`, {
    'proxy-authorization': 'Basic x',
    connection: 'x-private',
    'x-private': '1',
    'x-asked': '1',
  });

  expect(seen).toMatchObject({ 'x-asked': '1' });
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['proxy-authorization']));
  expect(seen['x-private']).toBeUndefined();
  expect(headers).toMatchObject({ 'x-kept': '1', 'set-cookie': ['a=1', 'b=2'] });
  expect(headers['x-hop']).toBeUndefined();
});

test('a connection to an origin is used again only for the browser connection for which it was opened', async () => {
  const ports: (number | undefined)[] = [];
  const note = ({ socket }: IncomingMessage) => ports.push(socket.remotePort);
  origin.on('request', note);
  const browsers = [
    new Agent({ keepAlive: true, maxSockets: 1 }),
    new Agent({ keepAlive: true, maxSockets: 1 }),
  ];
  const url = `http://127.0.0.1:${originPort}/`;
  for (const agent of [browsers[0], browsers[0], browsers[1], browsers[0]]) await ask(url, {}, agent);
  for (const agent of browsers) agent.destroy();
  origin.off('request', note);

  const [first, ...others] = ports;
  expect(first).toBeDefined();
  expect(others.map((port) => port === first)).toEqual([true, false, true]);
});

test('the proxy rejects requests to itself', async () => {
  expect((await ask('/')).status).toBe(400);
  await expect(ask(`http://127.0.0.1:${portOf(lane)}/`)).rejects.toThrow();
  expect(await sendRaw(`CONNECT 127.0.0.1:${portOf(lane)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 502 /u,
  );
  expect(lane.rejections.rejectionOf(`http://127.0.0.1:${portOf(lane)}/`)?.reason).toBe('notAllowed');
});

test('a rejected request gets no content, and the reason of the rejection is recorded', async () => {
  await expect(ask('http://10.0.0.1/')).rejects.toThrow();

  expect(lane.rejections.rejectionOf('http://10.0.0.1/page')?.reason).toBe('notAllowed');
  expect(lane.rejections.rejectionOf('https://10.0.0.1/page')).toBeUndefined();
});

test('rejects a CONNECT request whose target is not valid', async () => {
  expect(await sendRaw('CONNECT nonsense HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /u);
});

test('a request that the browser cancels is not recorded as a failure of the host', async () => {
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const url = `http://127.0.0.1:${originPort}/held`;
  const given = request({ host: '127.0.0.1', port: portOf(lane), path: url });
  given.on('error', () => undefined);
  given.end();
  await asked;
  const givenUp = new Promise<void>((resolve) => (onGivenUp = resolve));
  given.destroy();
  await givenUp;
  // Makes another request to the proxy, so that the proxy has had time to handle the cancellation.
  await ask('/');

  expect(lane.rejections.rejectionOf(url)).toBeUndefined();
});

describe('an origin whose response is not valid HTTP', () => {
  test.each([
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 0\r\n\r\n'],
    ['a status of 000', 'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of 099', 'HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a control character in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
  ])('a response with %s does not prevent later requests', async (_what, answer) => {
    const raw = createRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer, 'latin1'));
    });
    const port = await listen(raw, '127.0.0.1');
    await ask(`http://127.0.0.1:${port}/`).catch(() => undefined);
    await new Promise((resolve) => raw.close(resolve));
    expect((await ask(`http://127.0.0.1:${originPort}/`)).status).toBe(200);
  });

  test('a stated length that contradicts the chunks of the body is not passed on', async () => {
    const raw = createRawServer((socket) => {
      const answer = 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${answer}`));
    });
    const port = await listen(raw, '127.0.0.1');
    const { headers } = await ask(`http://127.0.0.1:${port}/`);
    await new Promise((resolve) => raw.close(resolve));
    expect(headers['content-length']).toBeUndefined();
  });
});

describe('at an address that other machines reach', () => {
  const password = 'correct horse';
  let exposed: EgressProxy;
  let exposedLane: GuardLane;

  beforeAll(async () => {
    exposed = await startEgressProxy(resolvers(['127.0.0.0/8']), {
      address: { host: '127.0.0.3', port: 0 },
      password,
    });
    exposedLane = await exposed.openLane();
  });
  afterAll(() => exposed.close());

  const askExposed = (path: string, authorization?: string, method = 'GET') =>
    new Promise<{ status: number; challenge: unknown; body: string }>((resolve, reject) => {
      const headers = authorization === undefined ? {} : { 'proxy-authorization': authorization };
      const asked = request(
        { host: '127.0.0.3', port: portOf(exposedLane), path, headers, method },
        (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              challenge: response.headers['proxy-authenticate'],
              body,
            }),
          );
        },
      );
      asked.once('connect', (response, socket) => {
        socket.destroy();
        const challenge = response.headers['proxy-authenticate'];
        resolve({ status: response.statusCode ?? 0, challenge, body: '' });
      });
      asked.once('error', reject).end();
    });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  test.each([
    ['none', undefined],
    ['a wrong password', basic('signpost-1:wrong horse')],
    ['a wrong name', basic('somebody:correct horse')],
    ['a part of them', basic('signpost-1:correct')],
    ['another scheme', 'Bearer correct horse'],
  ])(
    'a request gets an empty 407, and is not sent on, if its credentials are: %s',
    async (_what, authorization) => {
      let isAsked = false;
      onAsked = () => (isAsked = true);
      const plain = await askExposed(`http://127.0.0.1:${originPort}/`, authorization);
      const tunnel = await askExposed(`127.0.0.1:${originPort}`, authorization, 'CONNECT');
      const probe = await askExposed('http://probe.invalid/', authorization);

      const refused = { status: 407, challenge: 'Basic realm="signpost"', body: '' };
      expect([plain, tunnel, probe]).toEqual([refused, refused, refused]);
      expect(isAsked).toBe(false);
    },
  );

  test.each([
    ['407', '127.0.0.1:1', undefined],
    ['400', 'nonsense', basic('signpost-1:correct horse')],
    ['502', '10.0.0.1:1', basic('signpost-1:correct horse')],
  ])(
    'a client that keeps its side open after a rejection with the status %s loses the connection',
    async (status, target, authorization) => {
      const socket = connect({ host: '127.0.0.3', port: portOf(exposedLane), allowHalfOpen: true });
      let answer = '';
      let isOver = false;
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('error', () => undefined);
      socket.once('close', () => (isOver = true));
      const credentialsLine = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n${credentialsLine}\r\n`);

      // A write fails only once the other side has completely closed the connection.
      await waitUntil('the connection is over', () => {
        if (!isOver) socket.write('x');
        return isOver;
      });
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
    },
  );

  test('a request with the right credentials passes, and the credentials are not sent on', async () => {
    const right = basic('signpost-1:correct horse');

    expect(await askExposed(`http://127.0.0.1:${originPort}/`, right)).toMatchObject({
      status: 200,
      body: 'origin',
    });
    expect(seen['proxy-authorization']).toBeUndefined();
    expect((await askExposed(`127.0.0.1:${originPort}`, right, 'CONNECT')).status).toBe(200);
  });

  test('the guard cannot be reached through itself, not even at its address for other machines', async () => {
    const right = basic('signpost-1:correct horse');

    await expect(askExposed(`http://127.0.0.3:${portOf(exposedLane)}/`, right)).rejects.toThrow();
    expect(exposedLane.rejections.rejectionOf(`http://127.0.0.3:${portOf(exposedLane)}/`)?.reason).toBe(
      'notAllowed',
    );
  });

  test.each([
    [
      '192.0.2.1',
      /SIGNPOST_GUARD_ADDRESS \(192\.0\.2\.1, port 0\): this machine does not have that address/u,
    ],
    ['no-such-name.invalid', /SIGNPOST_GUARD_ADDRESS .*: its name is not found/u],
  ])('the error names SIGNPOST_GUARD_ADDRESS if the guard cannot listen at %s', async (host, words) => {
    await expect(startEgressProxy(resolvers([]), { address: { host, port: 0 }, password })).rejects.toThrow(
      words,
    );
  });

  test('the error does not name SIGNPOST_GUARD_ADDRESS if the guard cannot listen for browsers on this machine', async () => {
    const failing = createServer();
    const error = Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' });
    jest.spyOn(failing, 'listen').mockImplementation(() => {
      failing.emit('error', error);
      return failing;
    });

    await expect(listenForBrowsers(failing, LOOPBACK)).rejects.toThrow(
      'The guard cannot listen at 127.0.0.1: this process has too many files open.',
    );
  });
});
