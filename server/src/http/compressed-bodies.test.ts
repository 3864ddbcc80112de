import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { CompressedBodies } from './compressed-bodies.js';

const text = 'signpost '.repeat(500);

function createServer() {
  const bodies = new CompressedBodies();
  const server = Fastify();
  server.get('/', (request, reply) => bodies.send(request, reply, Buffer.from(text)));
  server.get('/short', (request, reply) => bodies.send(request, reply, Buffer.from('short')));
  const get = (accepted: string | undefined, url = '/') =>
    server.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });
  return { get };
}

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['gzip;q=0.5', 'gzip'],
  ['deflate', undefined],
  ['gzip;q=0, br;q=0.000', undefined],
  [undefined, undefined],
])('for "Accept-Encoding: %s", the Content-Encoding is %s', async (accepted, encoding) => {
  const { get } = createServer();
  for (const { headers, rawPayload } of [await get(accepted), await get(accepted)]) {
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['vary']).toBe('Accept-Encoding');
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
    expect(decode[encoding === 'br' || encoding === 'gzip' ? encoding : 'none'](rawPayload).toString()).toBe(
      text,
    );
  }
});

test('sends a short body uncompressed', async () => {
  const { get } = createServer();
  expect((await get('br', '/short')).headers['content-encoding']).toBeUndefined();
});
