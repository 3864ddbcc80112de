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
import { triggeredWorkflow, workflow, type NodeSketch } from './support/workflow.js';

const createdAnswer = z.object({ data: z.object({ id: z.string() }) });
/** So tall that all of a panel is seen at once. */
const heightOf = ({ options }: Panel) => 1_000 + 110 * options.length;
const SCHEMES = ['light', 'dark'] as const;
/** Two dozen panels, each opened anew. */
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

/** What stands in a new entry of an option that has entries. */
const entryOf = (option: Panel['options'][number]) => {
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

/** A node of which every option has been added. */
function opened({ node, resource, operation, options }: Panel): NodeSketch {
  const credential = node.endsWith('Referral') ? 'signpostReferralApi' : 'signpostApi';
  return {
    name: 'Node',
    type: node,
    ...(resource === '' ? {} : { typeVersion: 1.1 }),
    parameters: {
      ...(resource === '' ? {} : { resource, operation }),
      options: Object.fromEntries(options.map((option) => [option.name, entryOf(option)])),
    },
    credentials: { [credential]: { id: 'signpost', name: 'signpost' } },
  };
}

async function expectPanel(panel: Panel): Promise<void> {
  const { page } = person;
  await page.setViewportSize({ width: WIDTHS.desktop, height: heightOf(panel) });
  const sketch = opened(panel);
  const stored =
    panel.resource === '' ? triggeredWorkflow('panel', sketch) : workflow('panel', [{}], [sketch]);
  const created = await scene.n8n.rest('POST', '/workflows', stored);
  await page.goto(`/workflow/${createdAnswer.parse(created.body).data.id}`);
  await page.locator('[data-test-id="canvas-node"][data-node-name="Node"]').dblclick();
  const shown = page.locator('[data-test-id="ndv"]');
  for (const { displayName } of panel.options)
    await shown.getByText(displayName, { exact: true }).first().waitFor();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const name = [panel.node.split('.')[1], panel.resource, panel.operation].filter((word) => word !== '');
    await keepScreenshot(page, `n8n-panel-${name.join('-')}-${colorScheme}`);
  }
}

test(
  'the editor shows the panel of every operation, with each of its options, in light and in dark',
  async () => {
    const panels = await packagePanels(scene.n8n);
    expect(panels.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['screenshot', 'pdf', 'readPage', 'lookUp', 'listArea', 'send', '']),
    );
    for (const panel of panels) await expectPanel(panel);
    expect(person.troubles).toEqual([]);
  },
  ALL_PANELS_TIMEOUT_MS,
);
