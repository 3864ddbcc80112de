import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { silentLog } from '../../../test/fixtures/silent-log.js';
import { ServedHosts } from './served-hosts.js';

let server: FastifyInstance;
let port: number;
const warnings: string[] = [];

beforeAll(async () => {
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const hosts = new ServedHosts(['Signpost.example', 'proxy.example:8443', 'bücher.example'], log);
  server = Fastify({ http: { requireHostHeader: false } });
  server.addHook('onRequest', hosts.check);
  for (const path of ['/page', '/healthz', '/readyz']) server.get(path, () => 'served');
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => server.close());

/** Sends these lines unchanged, and `Connection: close`. Returns the whole response. */
const sendRaw = (...lines: readonly string[]) =>
  new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n')),
    );
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.once('end', () => resolve(text)).once('error', reject);
  });
const statusOf = async (...lines: readonly string[]) => Number((await sendRaw(...lines)).split(' ', 2)[1]);
const statusFor = (host: string, path = '/page') => statusOf(`GET ${path} HTTP/1.1`, `Host: ${host}`);

test.each([
  '127.0.0.1',
  '127.0.0.1:3000',
  '192.168.1.20:3000',
  '203.0.113.9',
  '[::1]:3000',
  '[2001:db8::1]',
  '[::ffff:192.168.1.20]:3000',
  'localhost',
  'LOCALHOST:3000',
  'localhost.',
  'nas',
  'nas:3000',
  'my_container:3000',
  'signpost.example',
  'signpost.example:3000',
  'SIGNPOST.EXAMPLE',
  'signpost.example.',
  'signpost.example.:3000',
  'proxy.example:8443',
  'xn--bcher-kva.example',
])('serves a request for the host %s', async (host) => {
  expect(await statusFor(host)).toBe(200);
});

test.each([
  'evil.example',
  'evil.example:3000',
  'EVIL.example.',
  'proxy.example',
  'proxy.example:8444',
  'signpost.example.evil.example',
  'evilsignpost.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'signpost.example@evil.example',
  'signpost.example/evil.example',
  'signpost.example,evil.example',
  '127.0.0.1:99999',
  '[::1',
])('rejects a request for the host %s with 421', async (host) => {
  expect(await statusFor(host)).toBe(421);
});

test('serves a request that has no Host header or an empty one', async () => {
  expect(await statusOf('GET /page HTTP/1.0')).toBe(200);
  expect(await statusOf('GET /page HTTP/1.1', 'Host:')).toBe(200);
});

test('rejects a request if its Host header, a second one, or the host of its absolute target is not served', async () => {
  expect(await statusOf('GET /page HTTP/1.1', 'Host: localhost', 'Host: evil.example')).toBe(421);
  expect(await statusOf('GET http://evil.example/page HTTP/1.1', 'Host: localhost')).toBe(421);
  expect(await statusOf('GET http://localhost:3000/page HTTP/1.1', 'Host: localhost')).toBe(200);
  expect(await statusOf('GET http://localhost/page HTTP/1.1', 'Host: evil.example')).toBe(421);
});

test('rejects an unserved host for unknown paths and for DELETE too, and ignores X-Forwarded-Host', async () => {
  expect(await statusFor('evil.example', '/nothing')).toBe(421);
  expect(await statusOf('DELETE /page HTTP/1.1', 'Host: evil.example')).toBe(421);
  expect(await statusOf('GET /page HTTP/1.1', 'Host: evil.example', 'X-Forwarded-Host: localhost')).toBe(421);
});

test.each(['/healthz', '/readyz', '/healthz?x=1'])('serves %s even for a rejected host', async (path) => {
  expect(await statusFor('probe.cluster.local', path)).toBe(200);
});

const bodyFor = (host: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<string>((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, path: '/page', headers: { host, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve(text));
      },
    );
    sent.once('error', reject).end();
  });

test('the rejection of a host tells programs in JSON and people on a page which variable to set', async () => {
  const words =
    'This server is not called "nas.lan". If you are its operator and the name is yours, set SIGNPOST_ALLOWED_HOSTS=nas.lan (or SIGNPOST_PUBLIC_URL, if this is the address that everybody uses) and restart the server.';
  expect(JSON.parse(await bodyFor('NAS.lan:3000'))).toEqual({ error: words });
  expect(await bodyFor('nas.lan', { accept: 'text/html,*/*' })).toContain(`<p>${words}</p>`);
});

test('logs one warning about rejected hosts, however many there are', async () => {
  await statusFor('evil.example');
  await statusFor('other.example');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('SIGNPOST_ALLOWED_HOSTS=');
});

test('accepts every host if the served names are "*"', async () => {
  const anywhere = Fastify();
  anywhere.addHook('onRequest', new ServedHosts(['*'], silentLog).check);
  anywhere.get('/', () => 'served');
  expect((await anywhere.inject({ url: '/', headers: { host: 'any.example' } })).statusCode).toBe(200);
  await anywhere.close();
});
