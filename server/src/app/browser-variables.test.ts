import { configProblems } from '../../../test/fixtures/config-problems.js';
import { readConfig } from './config.js';

describe('the variables of remote browsers', () => {
  const endpointsOf = (text: string) => readConfig({ SIGNPOST_BROWSER_ENDPOINTS: text }).browser.endpoints;

  test.each([
    ['http://127.0.0.1:9222', 'http://127.0.0.1:9222/', '127.0.0.1:9222'],
    ['ws://127.0.0.1:9222/devtools/browser/1', 'ws://127.0.0.1:9222/devtools/browser/1', '127.0.0.1:9222'],
    ['cdp+ws://127.0.0.1:3000?token=T', 'ws://127.0.0.1:3000/?token=T', '127.0.0.1:3000'],
    ['cdp+wss://user:T@[::1]/', 'wss://user:T@[::1]/', '[::1]:443'],
  ])('accepts %s as the address of a browser', (text, url, label) => {
    expect(endpointsOf(text)).toEqual([{ url, label, isLoopback: true }]);
  });

  test('addresses of remote browsers are separated by commas or spaces, and numbered if they share host and port', () => {
    expect(
      endpointsOf('http://127.0.0.1:1,http://127.0.0.1:2  cdp+ws://127.0.0.1:2/other').map(
        ({ label }) => label,
      ),
    ).toEqual(['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:2#2']);
  });

  test('remote browsers take two captures each at a time by default', () => {
    const SIGNPOST_BROWSER_ENDPOINTS = 'http://127.0.0.1:1, http://127.0.0.1:2, http://127.0.0.1:3';

    expect(readConfig({ SIGNPOST_BROWSER_ENDPOINTS }).capture).toMatchObject({ concurrency: 6, queue: 24 });
    expect(
      readConfig({ SIGNPOST_BROWSER_ENDPOINTS, SIGNPOST_CAPTURE_CONCURRENCY: '9' }).capture.concurrency,
    ).toBe(9);
  });

  test.each([
    '127.0.0.1:9222',
    'ftp://127.0.0.1/',
    'ws://',
    'ws://127.0.0.1:99999/',
    'cdp+127.0.0.1:1',
    'other+ws://127.0.0.1',
    'ws://127.0.0.1:3000/path?token=T',
    'playwright+ws://127.0.0.1:3000/devtools/',
  ])(
    'rejects %s as the address of a browser, with an error that states its position and repeats neither it nor another given address',
    (wrong) => {
      const [problem, ...more] = configProblems({
        SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:1/?token=hush, ${wrong}`,
      });

      expect(problem).toMatch(
        /^SIGNPOST_BROWSER_ENDPOINTS must be addresses of browsers .*"http:\/\/10\.0\.0\.8:9222, .*number 2 is not one; a Playwright server cannot be used$/u,
      );
      expect(problem).not.toMatch(/127\.0\.0\.1|hush/u);
      expect(more).toEqual([]);
    },
  );

  test('a remote browser on another machine needs SIGNPOST_GUARD_ADDRESS', () => {
    expect(
      configProblems({ SIGNPOST_BROWSER_ENDPOINTS: 'http://127.0.0.1:1, http://10.0.0.8:9222/?token=T' }),
    ).toEqual([
      'SIGNPOST_GUARD_ADDRESS must be set to an address of this machine, such as "10.0.0.5:3128", because ' +
        'SIGNPOST_BROWSER_ENDPOINTS names a browser on another machine (10.0.0.8:9222), which reaches pages only through this one',
    ]);
    expect(
      readConfig({
        SIGNPOST_BROWSER_ENDPOINTS: 'http://10.0.0.8:9222',
        SIGNPOST_GUARD_ADDRESS: '10.0.0.5:3128',
      }).browser.guardAddress,
    ).toEqual({ host: '10.0.0.5', port: 3128 });
  });

  test.each([
    ['signpost', { host: 'signpost', port: 0 }],
    ['10.0.0.5:80', { host: '10.0.0.5', port: 80 }],
    ['[fd00::5]:3128', { host: 'fd00::5', port: 3128 }],
  ])('accepts %s as the address of the guard', (SIGNPOST_GUARD_ADDRESS, guardAddress) => {
    expect(readConfig({ SIGNPOST_GUARD_ADDRESS }).browser).toMatchObject({ guardAddress });
  });

  test.each(['0.0.0.0:3128', '[::]:3128', 'http://10.0.0.5:3128', '10.0.0.5:99999', '10.0.0.5/24', 'a b'])(
    'rejects %s as the address of the guard',
    (SIGNPOST_GUARD_ADDRESS) => {
      expect(configProblems({ SIGNPOST_GUARD_ADDRESS })).toEqual([
        `SIGNPOST_GUARD_ADDRESS must be one name or address of this machine, with a port or without, such as "10.0.0.5:3128", but is "${SIGNPOST_GUARD_ADDRESS}"`,
      ]);
    },
  );
});
