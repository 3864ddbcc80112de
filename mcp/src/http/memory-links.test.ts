import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryLinks, type MemoryLinks } from './memory-links.js';

const TEN_MINUTES_MS = 600_000;
const file = (body: Buffer) => ({ name: 'page.pdf', mediaType: 'application/pdf', body });

let nowMs = 0;
let links: MemoryLinks;
let server: Server;
let url: string;
beforeEach(async () => {
  links = createMemoryLinks(
    () => url,
    () => nowMs,
  );
  server = createServer((request, response) => {
    if (!links.answer(request.url ?? '', response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const keep = async (callerId = 'ada', body = Buffer.from('%PDF')) =>
  (await links.linksOf(callerId).keep(file(body))) ?? '';
const statusesOf = async (addresses: readonly string[]) =>
  Promise.all(addresses.map(async (address) => (await fetch(address)).status));

test('serves a file only at its own address, with headers against scripts and caching', async () => {
  const address = await keep();
  const answer = await fetch(address);
  expect([answer.status, await answer.text()]).toEqual([200, '%PDF']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'inline; filename="page.pdf"',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(await statusesOf([`${address}0`, address.slice(0, -1), `${url}/files/`])).toEqual([404, 404, 404]);
});

test("keeps the last 20 files of each caller, and of one caller's files at most 200 MB together", async () => {
  const other = await keep('ben');
  const addresses: string[] = [];
  for (let count = 0; count < 21; count += 1) addresses.push(await keep());
  expect(await statusesOf([other, ...addresses])).toEqual([200, 404, ...Array<number>(20).fill(200)]);
  await keep('ada', Buffer.alloc(200_000_000));
  expect(await statusesOf(addresses)).toEqual(Array<number>(21).fill(404));
  expect(await links.linksOf('ada').keep(file(Buffer.alloc(200_000_001)))).toBeUndefined();
});

test('keeps a file for ten minutes', async () => {
  const address = await keep();
  nowMs += TEN_MINUTES_MS - 1;
  expect(await statusesOf([address])).toEqual([200]);
  nowMs += 1;
  expect(await statusesOf([address])).toEqual([404]);
});
