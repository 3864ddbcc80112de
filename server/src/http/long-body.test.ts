import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import Fastify from 'fastify';
import { systemRandomBytes } from '../platform/random.js';
import { allowLongBody } from './connections.js';
import { createRequestIds } from './request-ids.js';
import { clientErrorHandler } from './unserved-requests.js';

/** Sends half of a body, and the rest once Node has noticed that the request takes too long. Returns the status. */
async function sendSlowly(isAllowed: boolean): Promise<number | undefined> {
  const handle = clientErrorHandler(
    createRequestIds({ clock: () => 0, randomBytes: systemRandomBytes, trustProxy: [] }),
  );
  let onFound: () => void = () => undefined;
  const found = new Promise<void>((resolve) => (onFound = resolve));
  const server = Fastify({
    requestTimeout: 20,
    http: { headersTimeout: 10, connectionsCheckingInterval: 10 },
    clientErrorHandler: (error, socket) => {
      handle(error, socket);
      onFound();
    },
  });
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    if (isAllowed) allowLongBody(raw);
    done();
  });
  server.post('/', () => ({}));
  await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const headers = { 'content-length': 10, 'content-type': 'application/json' };
    const address = server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.write('{"a":');
    const answered = once(sent, 'response');
    await found;
    sent.end('true}');
    const [response]: IncomingMessage[] = await answered;
    response?.resume();
    return response?.statusCode;
  } finally {
    await server.close();
  }
}

test('rejects a body that takes too long, unless the request is exempt', async () => {
  expect(await sendSlowly(false)).toBe(408);
  expect(await sendSlowly(true)).toBe(200);
});
