import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { readRun, executionAnswer, type Run } from './support/run.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { pngSize } from './support/files.js';
import { trigger, triggeredWorkflow } from './support/workflow.js';

const LOOK_EVERY_MS = 100;
/** n8n publishes and withdraws a workflow five times, each of which takes it some seconds. */
const PUBLISHED_TIMEOUT_MS = 300_000;
/** n8n looks at a workflow when it is published, which a test asks for; no poll is waited for. */
const AT_EVERY_LOOK = { everyMinutes: 0 };

const created = z.object({ data: z.looseObject({ id: z.string(), versionId: z.string() }) });
const listed = z.object({ data: z.object({ results: z.array(z.object({ id: z.string() })) }) });

let scene: Scene;
let pages: Pages;
let price = '1.00';
beforeAll(async () => {
  pages = await servePages({
    '/prices': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      const others = `At ${Date.now()} and so on, which is new at every look.`;
      response.end(`<title>Prices</title><p>${others}</p><p>Tea: <b id="price">${price}</b></p>`);
    },
  });
  scene = await startScene();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await scene.close();
  await pages.close();
});

const watching = (parameters: object) =>
  triggeredWorkflow('watching', trigger('Changed', { url: `${pages.url}/prices`, ...parameters }));

/** Publishes a stored workflow, which n8n then looks at, or withdraws it. */
async function publish(id: string, versionId: string, word: 'activate' | 'deactivate'): Promise<void> {
  const { status, body } = await scene.n8n.rest('POST', `/workflows/${id}/${word}`, { versionId });
  expect([status, body]).toEqual([200, expect.anything()]);
}

const executions = async (workflowId: string) => {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  return listed.parse((await scene.n8n.rest('GET', `/executions?filter=${filter}`)).body).data.results;
};

/** The execution that n8n started by itself, once it has ended. */
async function executed(workflowId: string): Promise<Run> {
  for (;;) {
    const [first] = await executions(workflowId);
    const answer =
      first === undefined
        ? undefined
        : executionAnswer.parse((await scene.n8n.rest('GET', `/executions/${first.id}`)).body);
    if (answer !== undefined && ['success', 'error'].includes(answer.data.status)) return readRun(answer);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

test(
  'a published workflow starts when the element has changed, and not when all else has',
  async () => {
    const stored = created.parse(
      (await scene.n8n.rest('POST', '/workflows', watching({ selector: '#price', ...AT_EVERY_LOOK }))).body,
    );
    const { id, versionId } = stored.data;
    for (const word of ['activate', 'deactivate', 'activate', 'deactivate'] as const)
      await publish(id, versionId, word);
    expect(await executions(id)).toEqual([]);

    price = '1.20';
    await publish(id, versionId, 'activate');
    const run = await executed(id);
    await publish(id, versionId, 'deactivate');
    expect(run.error).toBeUndefined();
    expect(run.json('Changed')).toMatchObject([{ selector: '#price', before: '1.00', after: '1.20' }]);
  },
  PUBLISHED_TIMEOUT_MS,
);

test('a test in the editor gets the page as it is, as a picture of the element', async () => {
  const run = await scene.n8n.run(watching({ watch: 'picture', selector: '#price' }), 'Changed');
  expect(run.error).toBeUndefined();
  const [item] = run.items('Changed');
  expect(item?.json).toMatchObject({ watched: 'picture', pageStatus: 200 });
  const { width, height } = pngSize(await scene.n8n.file(item?.binary?.data));
  expect(width).toBeLessThan(200);
  expect(height).toBeLessThan(100);
});
