import { configProblems } from '../../../test/fixtures/config-problems.js';
import { readConfig } from './config.js';

const PROXY = 'http://me:p%40ss@proxy.example:3128';

test('reads the proxy for outgoing requests, its exceptions and the extra certificates', () => {
  expect(readConfig({}).outbound).toEqual({ proxy: undefined, extraCaFile: undefined });
  const config = readConfig({
    SIGNPOST_OUTBOUND_PROXY: PROXY,
    SIGNPOST_OUTBOUND_NO_PROXY: 'intranet.example, .lan 10.0.0.0/8,::1',
    SIGNPOST_OUTBOUND_PROXY_RESOLVES: 'yes',
    SIGNPOST_EXTRA_CA_FILE: '/etc/ca.pem',
  });
  expect(config.outbound).toEqual({
    proxy: { url: PROXY, except: ['intranet.example', '.lan', '10.0.0.0/8', '::1'], resolvesNames: true },
    extraCaFile: '/etc/ca.pem',
  });
  expect(config.browser.outbound).toEqual(config.outbound);
  expect(config.setVariables.join()).not.toContain('p%40ss');
});

test.each([
  'my-proxy.example:3128',
  'socks5://proxy.example:1080',
  'http://proxy.example/path',
  'http://me:100%@proxy.example:3128',
  'http://proxy.example:3128?a=b',
])('rejects %j as a proxy without repeating it', (wrong) => {
  const [problem = '', ...others] = configProblems({ SIGNPOST_OUTBOUND_PROXY: wrong });
  expect(problem).toMatch(/^SIGNPOST_OUTBOUND_PROXY must be the http or https address of a proxy/u);
  expect(problem).not.toContain(wrong);
  expect(others).toEqual([]);
});

test.each(['intranet.example:80', 'http://intranet.example', '10.0.0.0/99', 'a_b!'])(
  'rejects %j as an exception from the proxy',
  (wrong) => {
    const problems = configProblems({ SIGNPOST_OUTBOUND_PROXY: PROXY, SIGNPOST_OUTBOUND_NO_PROXY: wrong });
    expect(problems).toEqual([expect.stringMatching(/^SIGNPOST_OUTBOUND_NO_PROXY must be names/u)]);
  },
);

test('rejects the other settings of the outgoing proxy if no proxy is set', () => {
  expect(
    configProblems({ SIGNPOST_OUTBOUND_NO_PROXY: '10.0.0.1', SIGNPOST_OUTBOUND_PROXY_RESOLVES: 'yes' }),
  ).toEqual([
    expect.stringMatching(/^SIGNPOST_OUTBOUND_NO_PROXY is set, but SIGNPOST_OUTBOUND_PROXY is not/u),
    expect.stringMatching(/^SIGNPOST_OUTBOUND_PROXY_RESOLVES is set, but SIGNPOST_OUTBOUND_PROXY is not/u),
  ]);
});
