import { startCorpus, type Corpus } from './support/corpus.js';
import { EMAIL, PASSWORD } from './support/session.js';

let corpus: Corpus;

beforeAll(async () => {
  corpus = await startCorpus();
});
afterAll(() => corpus.close());

const SIGNED_IN = { waitForSelector: 'text=Balance' };
const REACT = [
  { fill: 'role=textbox[name="Email"]', value: EMAIL },
  { fill: 'input[type=password]', value: PASSWORD },
  { click: 'role=button[name="Sign in"]' },
  SIGNED_IN,
];

test.each<[string, string, readonly object[]]>([
  ['of React', 'sign-in-react', REACT],
  [
    'of Vue in two steps, which slide in',
    'sign-in-vue',
    [
      { fill: 'role=textbox[name="Email"]', value: ` ${EMAIL} ` },
      { press: 'Enter' },
      { fill: 'input[type=password]', value: PASSWORD },
      { click: 'text="Sign in"' },
      SIGNED_IN,
    ],
  ],
  [
    'of Shoelace, whose fields are in shadow trees',
    'sign-in-shoelace',
    [
      { fill: 'sl-input[name=email] input', value: EMAIL },
      { fill: 'sl-input[label=Password] input', value: PASSWORD },
      { click: 'sl-button' },
      SIGNED_IN,
    ],
  ],
  ['of React in a frame', 'sign-in-framed', REACT],
])('steps sign in with a form %s', async (_what, page, steps) => {
  const { content } = await corpus.words(`/pages/${page}.html`, { steps, mainContentOnly: false });
  expect(content).toContain('Balance 42 pounds');
});

test.each([
  [
    'AdminLTE',
    '/admin-lte/pages/examples/login.html',
    { click: 'role=button[name="Sign In"]' },
    'dashboard v3',
  ],
  ['SB Admin 2', '/startbootstrap-sb-admin-2/login.html', { click: 'text="Login"' }, 'earnings (monthly)'],
])("steps get past %s's example of a sign-in", async (_name, path, click, words) => {
  const steps = [
    { fill: 'input[type=email]', value: EMAIL },
    { fill: 'input[type=password]', value: PASSWORD },
    { click: 'text=Remember Me' },
    click,
  ];
  const { content } = await corpus.words(path, { steps, mainContentOnly: false });
  expect(content.toLowerCase()).toContain(words);
  expect(content).not.toContain('Remember Me');
});
