import { readConfig } from './config.js';
import { networkFinding, outboundFindings, runningNetworkFinding } from './network-finding.js';

const config = { capture: { probeNames: ['a.example'] } };

test.each([
  ['works', undefined],
  ['does not work', 'no name server answers'],
] as const)('the doctor says that the network %s if the probe finds: %s', async (state, problem) => {
  const asked: (readonly string[])[] = [];
  const finding = await networkFinding(config, (names) => {
    asked.push(names);
    return Promise.resolve(problem);
  });

  expect(finding.state).toBe(state);
  expect(finding.message).toContain(problem ?? 'name servers answer');
  expect(asked).toEqual([['a.example']]);
  expect(runningNetworkFinding({ networkProblem: problem }).state).toBe(state);
});

test('the finding about the network sends no queries if the probe is off', async () => {
  const probe = () => Promise.reject(new Error('Not to be asked.'));

  expect(await networkFinding({ capture: { probeNames: [] } }, probe)).toMatchObject({ state: 'works' });
});

test.each(['HTTPS_PROXY', 'http_proxy'])(
  'says that %s has no effect, without its value, unless a proxy is set for Signpost',
  async (variable) => {
    const ignored = { [variable]: 'http://me:hush@proxy.example:3128' };
    const findings = await outboundFindings(readConfig(ignored), 0);
    expect(findings).toEqual([expect.objectContaining({ name: 'Outgoing proxy', state: 'works' })]);
    expect(findings[0]?.message).toContain(`${variable} is set, but only SIGNPOST_OUTBOUND_PROXY`);
    expect(JSON.stringify(findings)).not.toContain('hush');

    const own = { ...ignored, SIGNPOST_OUTBOUND_PROXY: 'http://proxy.example:3128' };
    expect(await outboundFindings(readConfig(own), 0)).toMatchObject([
      { message: 'http://proxy.example:3128' },
    ]);
    expect(await outboundFindings(readConfig({ [variable]: '' }), 0)).toEqual([]);
  },
);
