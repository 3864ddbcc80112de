import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { publishing } from './support/publish.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { pngSize } from './support/files.js';
import { trigger, triggeredWorkflow } from './support/workflow.js';

/** Long, because n8n takes some seconds each time to publish or withdraw a workflow. */
const PUBLISHED_TIMEOUT_MS = 300_000;
const HALF_AN_HOUR = 30;
/** Hourly polls, the next half an hour from now, so that only publishing causes a poll during the test. */
const pollTimes = {
  item: [{ mode: 'everyHour', minute: (new Date().getMinutes() + HALF_AN_HOUR) % (2 * HALF_AN_HOUR) }],
};
/** Makes every poll check the page. A test causes a poll by publishing the workflow. */
const AT_EVERY_LOOK = { everyMinutes: 0 };

const created = z.object({ data: z.looseObject({ id: z.string() }) });
const stored = z.object({ data: z.looseObject({ active: z.boolean() }) });

describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;
  let price = '1.00';
  let status = 200;
  let looks = 0;
  beforeAll(async () => {
    pages = await servePages({
      '/prices': (_request, response) => {
        looks += 1;
        response.statusCode = status;
        response.setHeader('Content-Type', 'text/html');
        const others = `At ${Date.now()} and so on, which is new at every look.`;
        response.end(`<title>Prices</title><p>${others}</p><p>Tea: <b id="price">${price}</b></p>`);
      },
    });
    scene = await startScene(() => [], line);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    await pages.close();
  });

  const watching = (parameters: object) =>
    triggeredWorkflow('watching', trigger('Changed', { url: `${pages.url}/prices`, ...parameters }));

  test(
    'a published workflow starts if the watched element changes, and not if only the rest of the page does',
    async () => {
      const { body } = await scene.n8n.rest(
        'POST',
        '/workflows',
        watching({ selector: '#price', ...AT_EVERY_LOOK }),
      );
      const published = await publishing(scene.n8n, created.parse(body).data.id, () => looks, line);
      for (const isPublished of [true, false, true, false]) await published.set(isPublished);
      expect(await published.executions()).toEqual([]);

      price = '1.20';
      await published.set(true);
      const run = await published.executed();
      await published.set(false);
      expect(run.error).toBeUndefined();
      expect(run.json('Changed')).toMatchObject([{ selector: '#price', before: '1.00', after: '1.20' }]);
    },
    PUBLISHED_TIMEOUT_MS,
  );

  test(
    'if the page is down at publishing, the workflow stays active, and that state counts as no change',
    async () => {
      const node = {
        ...trigger('Changed', { url: `${pages.url}/prices`, selector: '#price', pollTimes }),
        typeVersion: 1.1,
      };
      const { body } = await scene.n8n.rest('POST', '/workflows', triggeredWorkflow('down', node));
      const { id } = created.parse(body).data;
      const published = await publishing(scene.n8n, id, () => looks, line);
      const publishOnce = async () => {
        await published.set(true);
        const { active } = stored.parse((await scene.n8n.rest('GET', `/workflows/${id}`)).body).data;
        await published.set(false);
        return active;
      };
      status = 500;
      expect(await publishOnce()).toBe(true);
      status = 200;
      price = '3.00';
      await publishOnce();
      status = 500;
      price = '3.10';
      await publishOnce();
      expect(await published.executions()).toEqual([]);
      status = 200;
      await published.set(true);
      const run = await published.executed();
      await published.set(false);
      expect(run.json('Changed')).toMatchObject([{ before: '3.00', after: '3.10', pageStatus: 200 }]);
    },
    PUBLISHED_TIMEOUT_MS,
  );

  test('a manual run returns the current picture of the watched element', async () => {
    const run = await scene.n8n.run(watching({ watch: 'picture', selector: '#price' }), 'Changed');
    expect(run.error).toBeUndefined();
    const [item] = run.items('Changed');
    expect(item?.json).toMatchObject({ watched: 'picture', pageStatus: 200 });
    const { width, height } = pngSize(await scene.n8n.file(item?.binary?.data));
    expect(width).toBeLessThan(200);
    expect(height).toBeLessThan(100);
  });
});
