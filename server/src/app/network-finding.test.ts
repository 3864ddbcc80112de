import { networkFinding, runningNetworkFinding } from './network-finding.js';

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

test('sends no queries if the probe is off', async () => {
  const probe = () => Promise.reject(new Error('Not to be asked.'));

  expect(await networkFinding({ capture: { probeNames: [] } }, probe)).toMatchObject({ state: 'works' });
});
