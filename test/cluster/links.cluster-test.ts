import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { createKey } from './support/requests.js';

const VIEWERS = 10;

let cluster: Cluster;
let pages: Pages;
/** Requests for the page, each of which waits until the test answers it. */
let waiting: ServerResponse[];
let loads: number;

beforeAll(async () => {
  pages = await servePages({
    '/page': (_request, response) => {
      loads += 1;
      waiting.push(response);
    },
  });
  const server = { SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1' };
  cluster = await startCluster({ servers: [server, server] });
});
afterAll(async () => {
  await cluster.remove();
  await pages.close();
});
beforeEach(() => {
  waiting = [];
  loads = 0;
});

/** Makes a link on the first server. Returns the link's address on each server. */
async function makeLink(key: string): Promise<readonly string[]> {
  const [first] = cluster.members;
  const answer = await fetch(`${first?.url ?? ''}/api/link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({
      operation: 'captureScreenshot',
      request: { url: `${pages.url}/page`, width: 100, height: 100 },
    }),
  });
  const { url } = z.object({ url: z.string() }).parse(await answer.json());
  expect(url.startsWith(`${cluster.balancer.url}/c/`)).toBe(true);
  return cluster.members.map((member) => member.url + new URL(url).pathname);
}

function answerPage(): void {
  for (const response of waiting.splice(0)) {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><body style="background:#123456">');
  }
}

/** Opens a link. Returns the status, the ETag and the picture. */
const opened = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, tag: answer.headers.get('etag'), body: await answer.arrayBuffer() };
};

test('if viewers of two servers open a link at once, its page loads only once, and all get the same picture', async () => {
  const { key } = await createKey(cluster);
  const urls = await makeLink(key);
  const viewers = Array.from({ length: VIEWERS }, () => urls.map(opened)).flat();
  await waitUntil('a server has asked for the page', () => waiting.length > 0);
  // Both servers have answered another request by then, so the second one has had time to request the page too.
  await Promise.all(cluster.members.map(({ url }) => fetch(`${url}/readyz`)));
  answerPage();
  const shown = await Promise.all(viewers);
  expect(new Set(shown.map(({ status, tag }) => `${status} ${tag}`)).size).toBe(1);
  expect([shown[0]?.status, shown.every(({ body }) => body.byteLength > 0), loads]).toEqual([200, true, 1]);
});

test('a link of one server opens on the other, even while the first is stopped, until its key is revoked', async () => {
  const { key, prefix } = await createKey(cluster);
  const [here = '', there = ''] = await makeLink(key);
  const first = opened(here);
  await waitUntil('the server has asked for the page', () => waiting.length > 0);
  answerPage();
  const { status, tag } = await first;
  expect([status, (await opened(there)).tag]).toEqual([200, tag]);
  const [member] = cluster.members;
  if (member === undefined) throw new Error('There is no server.');
  await member.server.end('SIGTERM');
  expect((await opened(there)).tag).toBe(tag);
  await cluster.restart(member);
  expect((await opened(here)).tag).toBe(tag);
  expect(loads).toBe(1);
  await cluster.json('key', 'revoke', prefix);
  expect(await Promise.all([here, there].map(async (url) => (await opened(url)).status))).toEqual([410, 410]);
});
