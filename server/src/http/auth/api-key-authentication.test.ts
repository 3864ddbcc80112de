import { operations } from '@signpost/contract';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { MeteredCalls } from '../../operations/metered-call.js';
import { NO_LIMIT } from '../../usage/account-admissions.js';
import { Meter } from '../../usage/meter.js';
import { apiKeyAuthentication } from './api-key-authentication.js';

const KEY = { id: 7, accountId: 'acc_ada' };
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nX-Api-Key: any\r\nContent-Type: application/json\r\n';

const meter = new Meter(
  (batch) =>
    Promise.resolve(
      batch.map(({ keyId }) => ({
        key_id: keyId,
        granted: 1,
        requests: 1,
        minute_requests: 1,
        per_minute: 5,
        per_day: 20,
        previous_at: null,
        account_requests: null,
        account_minute_requests: null,
        account_per_minute: NO_LIMIT,
        account_per_day: NO_LIMIT,
      })),
    ),
  () => 0,
  () => undefined,
);

const calls = new MeteredCalls({ counter: meter, monotonicMs: () => 0 });

test('releases the capture slot of a caller who hangs up before the request is counted', async () => {
  const server = Fastify();
  const caller: { socket?: Socket } = {};
  let arrived: Socket | undefined;
  server.server.once('connection', (socket) => (arrived = socket));
  const released = new Promise<void>((resolve) => {
    const reserve = async () => {
      if (arrived === undefined || caller.socket === undefined) throw new Error('Nobody has called.');
      const left = new Promise((end) => arrived?.once('close', end));
      caller.socket.resetAndDestroy();
      await left;
      return {
        accountId: KEY.accountId,
        quota: 'whole' as const,
        run: () => Promise.reject(new Error('Not of this test.')),
        release: resolve,
      };
    };
    const { onRequest } = apiKeyAuthentication(
      { findKey: () => Promise.resolve(KEY), calls, isSample: () => false },
      { reserve, operation: operations.capturePdf },
    );
    server.route({ method: 'POST', url: '/', onRequest, handler: () => 'never' });
  });
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  caller.socket = connect(Number(port), '127.0.0.1', () =>
    caller.socket?.write(`${HEAD}Content-Length: 9\r\n\r\n{`),
  );
  await released;
  await server.close();
});
