import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { listen } from '../../../../test/fixtures/capture/listen.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import type { NameLookups } from '../../platform/names/name-lookups.js';
import { createAddressPolicy } from './address-policy.js';
import { startEgressProxy, type EgressProxy, type GuardLane } from './egress-proxy.js';
import { createHostResolvers } from './host-resolver.js';

const origin = createServer((_request, response) => response.end('origin'));
let originUrl: string;
let guard: EgressProxy;
let opened: string[];
let asked: string[];
let ended: string[];

beforeEach(async () => {
  originUrl = `http://127.0.0.1:${await listen(origin, '127.0.0.1')}/`;
  [opened, asked, ended] = [[], [], []];
  const openLookups = (): NameLookups => {
    const name = `lane ${opened.length + 1}`;
    opened.push(name);
    const lookUp: NameLookups['lookUp'] = () => {
      asked.push(name);
      return new Promise(() => undefined);
    };
    return { lookUp, end: () => void ended.push(name) };
  };
  guard = await startEgressProxy(
    createHostResolvers({ isAllowed: createAddressPolicy(['127.0.0.0/8']), openLookups }),
  );
});

afterEach(async () => {
  await guard.close();
  origin.closeAllConnections();
  await new Promise((resolve) => origin.close(resolve));
});

const portOf = (server: string) => Number(new URL(server).port);

const ask = (server: string, url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(server), path: url }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
const through = (lane: GuardLane, url: string) => ask(lane.proxy.server, url);

test('rejects a request without a lane (the access of one browser context); a lane reaches no port of the guard', async () => {
  const [lane, other] = [await guard.openLane(), await guard.openLane()];

  expect(await through(lane, originUrl)).toBe(200);
  expect(await ask(guard.server, originUrl)).toBe(407);
  for (const server of [guard.server, lane.proxy.server, other.proxy.server])
    await expect(through(lane, `${server}/`)).rejects.toThrow();
});

test('a lane reaches a site at another loopback address that has the same port as the lane', async () => {
  const lane = await guard.openLane();
  const site = createServer((_request, response) => response.end('site'));
  const port = portOf(lane.proxy.server);
  await once(site.listen(port, '127.0.0.2'), 'listening');
  try {
    expect(await through(lane, `http://127.0.0.2:${port}/`)).toBe(200);
  } finally {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  }
});

test('closing a lane ends its requests and lookups, and none of another lane', async () => {
  const [lane, other] = [await guard.openLane(), await guard.openLane()];
  const waiting = [lane, other].map((one) =>
    through(one, 'http://silent.test/').then(
      () => 'answered',
      () => 'ended',
    ),
  );
  await waitUntil('both lanes look up the name', () => asked.length === 2);
  lane.close();
  lane.close();

  expect(await waiting[0]).toBe('ended');
  expect(ended).toEqual(['lane 1']);
  await expect(through(lane, originUrl)).rejects.toThrow();
  expect(await through(other, originUrl)).toBe(200);
  await guard.close();
  expect(await waiting[1]).toBe('ended');
  expect(ended).toEqual(['lane 1', 'lane 2']);
});

test('the reason why a host was not reached is known only in the lane that requested it', async () => {
  const [lane, other] = [await guard.openLane(), await guard.openLane()];
  await expect(through(lane, 'http://10.0.0.1/')).rejects.toThrow();

  expect(lane.rejections.rejectionOf('http://10.0.0.1/')?.reason).toBe('notAllowed');
  expect(other.rejections.rejectionOf('http://10.0.0.1/')).toBeUndefined();
});
