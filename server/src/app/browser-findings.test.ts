import { noCaptures } from '../../../test/fixtures/capture/no-captures.js';
import { failingFinding, runningBrowserFindings } from './browser-findings.js';
import { readConfig } from './config.js';
import { memoryFinding } from './memory-finding.js';

const configOf = (more: Readonly<Record<string, string>> = {}) =>
  readConfig({ SIGNPOST_DATA_DIR: '/nowhere', ...more });

test.each([
  ['2', 'works'],
  ['8', 'could be better'],
])(
  'reports whether a control group of 4 GB has enough memory for %s captures at a time of 1 GB each: %s',
  (concurrency, state) => {
    const config = configOf({ SIGNPOST_CAPTURE_CONCURRENCY: concurrency });
    const [finding] = memoryFinding(config, { bytes: 4e9, owner: 'its control group' });
    if (process.platform !== 'linux') return;
    expect(finding).toMatchObject({ state, message: expect.stringContaining('1024 MB each') });
    if (state === 'works') return;
    expect(finding?.message).toContain('its control group has 4000 MB');
    expect(finding?.advice).toContain('SIGNPOST_CAPTURE_CONCURRENCY=2');
  },
);

test.each([
  [2.2e9, 'SIGNPOST_CAPTURE_CONCURRENCY=1 and SIGNPOST_CAPTURE_MEMORY_MEGABYTES=700'],
  [0.5e9, 'No settings make captures fit: give its control group at least 2524 MB'],
])(
  'advises settings that fit into a control group of %d bytes, or says that none do: %s',
  (bytes, advice) => {
    if (process.platform !== 'linux') return;
    for (const concurrency of ['1', '8']) {
      const config = configOf({ SIGNPOST_CAPTURE_CONCURRENCY: concurrency });
      const [finding] = memoryFinding(config, { bytes, owner: 'its control group' });
      expect(finding?.advice).toContain(advice);
    }
  },
);

test("reports why the browser of a running server does not start, and the browser's own words", () => {
  const [finding] = runningBrowserFindings(
    {
      ...noCaptures().state(),
      browser: 'down',
      endpoints: [],
      browserProblem: {
        why: 'the library libnss3.so is missing',
        cure: 'On the server: apt-get install libnss3.',
        words: 'error while loading shared libraries: libnss3.so',
        reason: 'browser',
      },
    },
    configOf(),
  );
  expect(finding).toEqual({
    name: 'Browser',
    state: 'does not work',
    message:
      'it does not start: the library libnss3.so is missing; it wrote: "error while loading shared libraries: libnss3.so"',
    advice: 'On the server: apt-get install libnss3.',
  });
});

test('warns that the browser of a running server has no sandbox as root, unless this was configured', () => {
  jest.spyOn(process, 'getuid').mockReturnValue(0);
  const state = { ...noCaptures().state(), browser: 'ready', endpoints: [] } as const;
  const stateOf = (more = {}) => runningBrowserFindings(state, configOf(more))[0]?.state;
  expect(stateOf()).toBe('could be better');
  expect(stateOf({ SIGNPOST_BROWSER_WITHOUT_SANDBOX: 'yes' })).toBe('works');
  jest.mocked(process.getuid)?.mockReturnValue(1000);
  expect(stateOf()).toBe('works');
  jest.restoreAllMocks();
});

test('reports why captures of a running server keep failing, unless a finding about the network already says so', () => {
  const failing = { reason: 'certificate', count: 7, detail: 'net::ERR_CERT_AUTHORITY_INVALID' } as const;
  const state = { ...noCaptures().state(), failing };
  expect(failingFinding(state)).toEqual([
    {
      name: 'Captures',
      state: 'could be better',
      message:
        'the last 7 failed because the certificates of the pages are not trusted (net::ERR_CERT_AUTHORITY_INVALID)',
      advice: expect.stringContaining('SIGNPOST_EXTRA_CA_FILE'),
    },
  ]);
  expect(failingFinding({ ...state, networkProblem: 'no name server answers' })).toEqual([]);
  expect(failingFinding(noCaptures().state())).toEqual([]);
});

test('reports failing captures if the browser crashes in them, but not if it is down or does not start', () => {
  const state = {
    ...noCaptures().state(),
    failing: { reason: 'browser', count: 7, detail: '' },
    browserProblem: { why: 'a library is missing', cure: 'Install it.', words: '', reason: 'browser' },
  } as const;
  const isReported = (changes: Partial<typeof state> | { readonly browser: 'ready' | 'starting' | 'down' }) =>
    failingFinding({ ...state, ...changes }).length === 1;
  expect(isReported({ browser: 'down' })).toBe(false);
  expect(isReported({ browser: 'starting' })).toBe(false);
  expect(isReported({ browser: 'ready' })).toBe(true);
  expect(failingFinding({ ...state, browser: 'starting', browserProblem: undefined })).toHaveLength(1);
});
