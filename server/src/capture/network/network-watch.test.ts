import { setImmediate as letOthersRun } from 'node:timers/promises';
import { LookupFailure, type NameLookups } from '../../platform/names/name-lookups.js';
import { createNetworkProbe, hasRoute } from './network-probe.js';
import { NetworkWatch } from './network-watch.js';

const NAMES = ['a.example', 'b.example'];
const DOWN = 'no name server answers';

describe('the network watch', () => {
  let nowMs: number;
  let result: string | undefined;
  let probed: (readonly string[])[];
  let lines: string[];
  let callback: (() => void) | undefined;

  beforeEach(() => {
    nowMs = 0;
    result = undefined;
    probed = [];
    lines = [];
    callback = undefined;
  });

  const note = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level} ${message}`);
  const watchOf = (names = NAMES) =>
    new NetworkWatch({
      names,
      monotonicMs: () => nowMs,
      log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
      probe: (asked) => {
        probed.push(asked);
        return Promise.resolve(result);
      },
      after: (_ms, again) => {
        callback = again;
        return () => (callback = undefined);
      },
    });

  test('probes only for callers, and only once for those that ask together or less than 250 ms later', async () => {
    const watch = watchOf();
    expect([watch.problem, probed]).toEqual([undefined, []]);
    await Promise.all([watch.check(), watch.check()]);
    nowMs += 249;
    await watch.check();
    expect(probed).toEqual([NAMES]);
    nowMs += 1;
    await watch.check();
    expect(probed).toHaveLength(2);
  });

  test('logs a change once, and checks by itself whether an outage has ended', async () => {
    const watch = watchOf();
    result = DOWN;
    expect(await watch.check()).toBe(DOWN);
    for (let times = 0; times < 3; times += 1) {
      nowMs += 5_000;
      expect(await watch.check()).toBe(DOWN);
    }
    expect(lines).toEqual([expect.stringMatching(/^error Captures fail .*: no name server answers\./u)]);

    result = undefined;
    nowMs += 5_000;
    callback?.();
    await watch.check();
    expect(watch.problem).toBeUndefined();
    expect(lines.slice(1)).toEqual(['info The network of this server works again.']);
    expect(callback).toBeUndefined();
  });

  test('during an outage, a timer that fires a moment early probes too', async () => {
    const watch = watchOf();
    result = DOWN;
    await watch.check();
    result = undefined;
    nowMs += 4_999;
    callback?.();
    await letOthersRun();
    expect(watch.problem).toBeUndefined();
  });

  test('during an outage, returns the known problem for five seconds without another probe', async () => {
    const watch = watchOf();
    result = DOWN;
    await watch.check();
    nowMs += 4_999;
    expect(await watch.check()).toBe(DOWN);
    expect(probed).toHaveLength(1);
  });

  test('also probes the three names that were found last', async () => {
    const watch = watchOf();
    for (const name of ['1.test', '2.test', '3.test', '2.test', '4.test']) watch.noteFound(name);
    await watch.check();

    expect(probed).toEqual([[...NAMES, '3.test', '2.test', '4.test']]);
  });

  test('reports no outage if no names are configured, and probes no more when it is closed', async () => {
    result = DOWN;
    expect(await watchOf([]).check()).toBeUndefined();
    const watch = watchOf();
    await watch.check();
    watch.close();
    expect(callback).toBeUndefined();
  });
});

describe('the network probe', () => {
  type LookUp = NameLookups['lookUp'];
  const found: LookUp = () => Promise.resolve([{ address: '192.0.2.1', family: 4 }]);
  const failing =
    (problem: LookupFailure['problem']): LookUp =>
    () =>
      Promise.reject(new LookupFailure(problem, 'ECODE'));
  const probe = (first: LookUp, second: LookUp, isRouted = true) => {
    const lookUp: LookUp = (name) => (name === 'a.example' ? first(name) : second(name));
    const openLookups = () => ({ lookUp, end: () => undefined });
    return createNetworkProbe(openLookups, () => Promise.resolve(isRouted))(NAMES);
  };

  test.each([
    ['a name that is found', found],
    ['a name that does not exist', failing('notFound')],
  ])('%s shows that the network works, whatever the result for the other name', async (_what, first) => {
    for (const second of [failing('noAnswer'), failing('serverFailure'), found])
      expect(await probe(first, second)).toBeUndefined();
  });

  test.each([
    ['noAnswer', 'no name server answers'],
    ['serverFailure', 'the name servers answer every question with a failure'],
  ] as const)('says why no name is found if every lookup fails with %s', async (problem, words) => {
    expect(await probe(failing(problem), failing(problem))).toBe(words);
  });

  test('the network does not work if names are found but their addresses have no route', async () => {
    expect(await probe(found, found, false)).toBe('the network has no route to other machines');
  });

  test('finds a route to this machine, but none to a link-local address without an interface', async () => {
    expect(await hasRoute({ address: '127.0.0.1', family: 4 })).toBe(true);
    expect(await hasRoute({ address: 'fe80::1', family: 6 })).toBe(false);
  });
});
