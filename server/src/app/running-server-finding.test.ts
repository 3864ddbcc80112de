import Fastify from 'fastify';
import { silentLog } from '../../../test/fixtures/silent-log.js';
import { addHealthRoutes, type Readiness } from '../http/monitoring-routes.js';
import { runningServerFinding } from './running-server-finding.js';

const READY: Readiness = { directory: true, databaseProblem: undefined, browser: true, accepting: true };

async function findingBeside(state: Readiness) {
  const server = Fastify();
  addHealthRoutes(server, () => Promise.resolve(state), silentLog);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    return await runningServerFinding({ host: '0.0.0.0', port: Number(new URL(url).port) });
  } finally {
    await server.close();
  }
}

test.each([
  ['is ready', {}, 'works', /^ready at http:\/\/127\.0\.0\.1:/u],
  [
    'fails its captures one after the other',
    { capturesProblem: 'The last 7 captures failed because the pages take more memory.' },
    'could be better',
    /The last 7 captures failed because the pages take more memory\.$/u,
  ],
  [
    'has no network',
    { networkProblem: 'no name server answers' },
    'could be better',
    /no name server answers/u,
  ],
  [
    'has a database with a full disk',
    { databaseProblem: 'Its disk is full: make room there.' },
    'does not work',
    /Not ready: database\. The database: Its disk is full/u,
  ],
  ['has no browser', { browser: false }, 'does not work', /Not ready: browser\./u],
] as const)('the doctor says that the running server %s', async (_words, change, state, message) => {
  expect(await findingBeside({ ...READY, ...change })).toMatchObject([
    { name: 'Running server', state, message: expect.stringMatching(message) },
  ]);
});

test('the doctor finds no fault if no server runs, another program has the port, or the port is not known', async () => {
  const other = Fastify();
  other.get('/readyz', () => ({ status: 'something else' }));
  const port = Number(new URL(await other.listen({ host: '127.0.0.1', port: 0 })).port);
  const beside = await runningServerFinding({ host: '127.0.0.1', port });
  await other.close();
  const none = await runningServerFinding({ host: '127.0.0.1', port });
  expect([...beside, ...none].map(({ state, message }) => [state, message])).toEqual([
    ['works', expect.stringContaining('is not a Signpost server')],
    ['works', expect.stringMatching(/^none answers at http:\/\/127\.0\.0\.1:/u)],
  ]);
  expect(await runningServerFinding({ host: '127.0.0.1', port: 0 })).toEqual([]);
});
