import Fastify from 'fastify';
import { silentLog } from '../../../test/fixtures/silent-log.js';
import { addHealthRoutes, type Readiness } from './monitoring-routes.js';

const READY: Readiness = { directory: true, databaseProblem: undefined, browser: true, accepting: true };

test('/readyz reports that the network is down, and still that the server is ready', async () => {
  let networkProblem: string | undefined = 'no name server answers';
  const server = Fastify();
  addHealthRoutes(server, () => Promise.resolve({ ...READY, networkProblem }), silentLog);

  const down = await server.inject('/readyz');
  expect([down.statusCode, down.json()]).toEqual([
    200,
    expect.objectContaining({
      status: 'ready',
      details: { network: 'Captures fail for lack of network: no name server answers.' },
    }),
  ]);
  networkProblem = undefined;
  expect((await server.inject('/readyz')).json()).not.toHaveProperty('details');
});

test('/readyz tells only this machine why captures fail one after the other', async () => {
  const server = Fastify();
  const capturesProblem = 'The last 5 captures failed because the pages take more memory.';
  addHealthRoutes(server, () => Promise.resolve({ ...READY, capturesProblem }), silentLog);
  const from = async (remoteAddress: string, headers = {}) =>
    (await server.inject({ url: '/readyz', remoteAddress, headers })).json<unknown>();

  expect(await from('127.0.0.1')).toMatchObject({ status: 'ready', details: { captures: capturesProblem } });
  expect(await from('192.0.2.1')).not.toHaveProperty('details');
  expect(await from('127.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).not.toHaveProperty('details');
});

test('/readyz logs when the failing checks change, not at every probe, and logs nothing while the server is stopping', async () => {
  let readiness = READY;
  const lines: (readonly [string, object, string])[] = [];
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message]);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const server = Fastify();
  addHealthRoutes(server, () => Promise.resolve(readiness), log);
  const probe = async (change: Partial<Readiness>) => {
    readiness = { ...READY, ...change };
    for (let times = 0; times < 3; times += 1) await server.inject('/readyz');
    return lines.splice(0);
  };

  expect(await probe({})).toEqual([]);
  expect(await probe({ browser: false })).toEqual([
    ['warn', { failing: ['browser'] }, 'The server is not ready: browser.'],
  ]);
  expect(await probe({ browser: false, databaseProblem: 'It is full.' })).toEqual([
    [
      'warn',
      { failing: ['database', 'browser'], databaseProblem: 'It is full.' },
      'The server is not ready: database, browser.',
    ],
  ]);
  expect(await probe({})).toEqual([['info', {}, 'The server is ready again.']]);
  expect(await probe({ accepting: false })).toEqual([]);
});
