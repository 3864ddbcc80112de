import { z } from 'zod';
import {
  keepScreenshot,
  startTestBrowser,
  WIDTHS,
  type Person,
  type TestBrowser,
} from '../fixtures/browser.js';
import { packagePanels, type Panel } from './support/node-types.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { workflow, type NodeSketch } from './support/workflow.js';

const createdAnswer = z.object({ data: z.object({ id: z.string() }) });
/** The height of a window, in pixels, that shows all of a panel. */
const heightOf = (panel: Panel) => 1_000 + 110 * optionsOf(panel).length + 150 * panel.lists.size;
const optionsOf = ({ lists }: Panel) => [...lists.values()].flat();
const SCHEMES = ['light', 'dark'] as const;
/** Time for about twenty panels. */
const ALL_PANELS_TIMEOUT_MS = 600_000;

let scene: Scene;
let browser: TestBrowser;
let person: Person;

beforeAll(async () => {
  browser = await startTestBrowser();
  scene = await startScene();
  person = await browser.person(scene.n8n.url);
  await person.context.addCookies([{ name: 'n8n-auth', value: scene.n8n.session, url: scene.n8n.url }]);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await person.close();
  await browser.close();
  await scene.close();
});

/** Returns the value of an option that was just added: one entry with defaults if the option has entries. */
const entryOf = (option: ReturnType<typeof optionsOf>[number]) => {
  const several = option.typeOptions !== undefined;
  if (option.type === 'fixedCollection') {
    const [{ name, values } = { name: '', values: [] }] = groups.parse(option.options);
    const entry = Object.fromEntries(values.map((value) => [value.name, value.default]));
    return { [name]: several ? [entry] : entry };
  }
  return several && Array.isArray(option.default) ? [''] : option.default;
};
const groups = z.array(
  z.object({ name: z.string(), values: z.array(z.object({ name: z.string(), default: z.unknown() })) }),
);

const nameOf = ({ node, resource, operation }: Panel) =>
  [node.split('.')[1], resource, operation].filter((word) => word !== '').join('-');
const isTrigger = ({ operation }: Panel) => operation === '';

/** A node to which every option of the panel has been added. */
function opened(panel: Panel): NodeSketch {
  const { node, resource, operation, lists } = panel;
  const credential = node.endsWith('Referral') ? 'signpostReferralApi' : 'signpostApi';
  return {
    name: nameOf(panel),
    type: node,
    typeVersion: node.endsWith('.signpost') ? 1.2 : 1.1,
    parameters: {
      ...(isTrigger(panel) ? {} : { resource, operation }),
      ...Object.fromEntries(
        [...lists].map(([list, options]) => [
          list,
          Object.fromEntries(options.map((option) => [option.name, entryOf(option)])),
        ]),
      ),
    },
    credentials: { [credential]: { id: 'signpost', name: 'signpost' } },
  };
}

/** Opens one workflow with a node for each panel, because loading the editor takes longer than opening a panel. */
async function showAll(panels: readonly Panel[]): Promise<void> {
  const after = panels.filter((panel) => !isTrigger(panel)).map((panel) => [opened(panel)]);
  const stored = workflow('panels', [{}], ...after);
  const triggers = panels
    .filter(isTrigger)
    .map((panel) => ({ id: nameOf(panel), typeVersion: 1, position: [0, -200], ...opened(panel) }));
  const { body } = await scene.n8n.rest('POST', '/workflows', {
    ...stored,
    nodes: [...stored.nodes, ...triggers],
  });
  await person.page.goto(`/workflow/${createdAnswer.parse(body).data.id}`);
}

async function expectPanel(panel: Panel): Promise<void> {
  const { page } = person;
  await page.locator(`[data-test-id="canvas-node"][data-node-name="${nameOf(panel)}"]`).dblclick();
  await page.setViewportSize({ width: WIDTHS.desktop, height: heightOf(panel) });
  const shown = page.locator('[data-test-id="ndv"]');
  for (const { displayName } of optionsOf(panel))
    await shown.getByText(displayName, { exact: true }).first().waitFor();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await keepScreenshot(page, `n8n-panel-${nameOf(panel)}-${colorScheme}`);
  }
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'hidden' });
}

test(
  'the editor shows the panel of every operation with all options, in light and in dark mode',
  async () => {
    const panels = await packagePanels(scene.n8n);
    expect(panels.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['screenshot', 'pdf', 'readPage', 'lookUp', 'listArea', 'send', '']),
    );
    await showAll(panels);
    for (const panel of panels) await expectPanel(panel);
    expect(person.troubles).toEqual([]);
  },
  ALL_PANELS_TIMEOUT_MS,
);
