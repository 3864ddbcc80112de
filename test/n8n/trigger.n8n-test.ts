import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { publishing } from './support/publish.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { pngSize } from './support/files.js';
import { trigger, triggeredWorkflow } from './support/workflow.js';

/** n8n publishes and withdraws a workflow five times, each of which takes it some seconds. */
const PUBLISHED_TIMEOUT_MS = 300_000;
/** n8n looks at a workflow when it is published, which a test asks for; no poll is waited for. */
const AT_EVERY_LOOK = { everyMinutes: 0 };

const created = z.object({ data: z.looseObject({ id: z.string() }) });

describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;
  let price = '1.00';
  let looks = 0;
  beforeAll(async () => {
    pages = await servePages({
      '/prices': (_request, response) => {
        looks += 1;
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
    'a published workflow starts when the watched element has changed, not when other parts have',
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

  test('a test in the editor returns a picture of the element of the current page', async () => {
    const run = await scene.n8n.run(watching({ watch: 'picture', selector: '#price' }), 'Changed');
    expect(run.error).toBeUndefined();
    const [item] = run.items('Changed');
    expect(item?.json).toMatchObject({ watched: 'picture', pageStatus: 200 });
    const { width, height } = pngSize(await scene.n8n.file(item?.binary?.data));
    expect(width).toBeLessThan(200);
    expect(height).toBeLessThan(100);
  });
});
