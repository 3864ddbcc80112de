import { AxeBuilder } from '@axe-core/playwright';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import {
  keepScreenshot,
  startTestBrowser,
  WIDTHS,
  type Person,
  type TestBrowser,
} from '../fixtures/browser.js';
import { signInAsOperator, useEverything } from '../fixtures/console-steps.js';

let app: ConsoleApp;
let browser: TestBrowser;
/** Paths of pages that only exist once something was made, by the name of their picture. */
let made: Readonly<Record<string, string>>;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '100', SIGNPOST_RATE_PER_DAY: '1000' }),
    startTestBrowser(),
  ]);
  const operator = await browser.person(app.url);
  await signInAsOperator(operator.page, app);
  made = await useEverything(operator.page, app);
  await operator.close();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.entries(WIDTHS).map(([device, width]) => ({ colorScheme, device, width })),
);

/** Looks at one page for what people cannot use, and keeps a picture of it. */
async function lookAt(person: Person, name: string, path: string): Promise<readonly string[]> {
  await person.page.goto(path);
  await keepScreenshot(person.page, name);
  const { violations } = await new AxeBuilder({ page: person.page }).analyze();
  const isTooWide = await person.page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`)),
    ...(isTooWide === true ? ['the page scrolls sideways'] : []),
  ];
}

const PUBLIC = {
  front: '/',
  signin: '/signin',
  signup: '/signup',
  reference: '/reference',
  nothing: '/nowhere',
};
const SIGNED_IN = {
  overview: '/overview',
  password: '/password',
  playground: '/playground',
  apikeys: '/apikeys',
  regenerate: '/apikeys/regenerate',
  'apilogin-refused': '/apilogin?returnUrl=https%3A%2F%2Funknown.example%2F',
  operator: '/operator',
  accounts: '/operator/accounts',
  'return-urls': '/operator/return-urls',
};

/** Some thirty pages, each loaded, looked at by axe and pictured. */
const TIMEOUT_MS = 240_000;

test.each(looks)(
  'every page is usable by everybody: $colorScheme, on a $device',
  async (look) => {
    const person = await browser.person(app.url, look);
    const found: Record<string, readonly string[]> = {};
    const lookAtAll = async (pages: Readonly<Record<string, string>>) => {
      for (const [name, path] of Object.entries(pages)) {
        const problems = await lookAt(person, `${name}-${look.device}-${look.colorScheme}`, path);
        if (problems.length > 0) found[path] = problems;
      }
    };
    await lookAtAll(PUBLIC);
    await signInAsOperator(person.page, app);
    await lookAtAll({ ...SIGNED_IN, ...made });
    expect(found).toEqual({});
    expect(person.troubles).toEqual([]);
    await person.close();
  },
  TIMEOUT_MS,
);
