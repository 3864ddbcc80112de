import { memoryBombs, sharedMemoryBombs } from '../fixtures/capture/memory-bombs.js';
import { SITE_ADDRESS, startPageServer, type PageServer } from '../fixtures/capture/page-server.js';
import { createKeyOf } from '../fixtures/captures-of-accounts.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';

let site: PageServer;
let server: SignpostServer;
let other: string;

beforeAll(async () => {
  site = await startPageServer({ ...memoryBombs(), ...sharedMemoryBombs(), '/plain': '<p>here' });
  server = await startSignpost({
    SIGNPOST_RATE_PER_MINUTE: 'unlimited',
    SIGNPOST_RATE_PER_DAY: 'unlimited',
    SIGNPOST_ALLOW_ADDRESSES: SITE_ADDRESS,
    SIGNPOST_CAPTURE_CONCURRENCY: '3',
    SIGNPOST_CAPTURE_MEMORY_MEGABYTES: '300',
  });
  other = await createKeyOf(server, 'other@example.org');
});

afterAll(async () => {
  await server.remove();
  await site.close();
});

test.each(['/wasm', '/webgl-textures'])(
  '%s is answered 400, which names the bound; lookups and captures of another account are answered meanwhile',
  async (path) => {
    let isOver = false;
    const bomb = server.post('/api/screenshot', { url: site.url(path) }).finally(() => (isOver = true));
    const statuses = new Set<number>();
    const beside = async (send: () => Promise<Response>) => {
      do {
        const answer = await send();
        statuses.add(answer.status);
        await answer.arrayBuffer();
      } while (!isOver);
    };

    await Promise.all([
      beside(() => server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, other)),
      beside(() => server.post('/api/screenshot', { url: site.url('/plain') }, other)),
    ]);

    const answer = await bomb;
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('300 MB') });
    expect([...statuses]).toEqual([200]);
  },
);
