import fastify from 'fastify';
import { ServiceError } from '../../platform/errors.js';
import { RejectionLimit } from '../auth/rejection-limit.js';
import { addLinkRoute } from './link-route.js';

const PATH = `/c/${'a'.repeat(22)}`;

test('opens no link while too many requests wait, and reads no capture for a HEAD request or for a client that already has it', async () => {
  let isFull = false;
  const needed: boolean[] = [];
  const server = fastify();
  addLinkRoute(server, {
    rejectionLimit: new RejectionLimit(() => 0),
    strangers: {
      awaitStart: () =>
        isFull ? Promise.reject(new ServiceError('overloaded', 'Too many wait.')) : Promise.resolve(),
    },
    links: {
      open: (_token, { needsBody }) => {
        needed.push(needsBody('cap'));
        const chunks = (async function* () {
          yield Buffer.from('ab');
          yield await Promise.resolve(Buffer.from('c'));
        })();
        return Promise.resolve({
          captureId: 'cap',
          bytes: 3,
          mediaType: 'image/png',
          capturedAtMs: 0,
          freshSeconds: 1,
          body: needsBody('cap') ? chunks : undefined,
        });
      },
    },
  });
  const got = await server.inject({ url: PATH });
  expect([got.statusCode, got.headers['content-length'], got.body]).toEqual([200, '3', 'abc']);
  const head = await server.inject({ url: PATH, method: 'HEAD' });
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '3', '']);
  const known = await server.inject({ url: PATH, headers: { 'If-None-Match': '"cap"' } });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  expect(needed).toEqual([true, false, false]);
  isFull = true;
  const refused = await server.inject({ url: PATH, headers: { Accept: 'application/json' } });
  expect([refused.statusCode, needed.length]).toEqual([503, 3]);
  await server.close();
});
