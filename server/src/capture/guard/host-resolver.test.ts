import { LookupFailure, type LookupProblem, type NameLookups } from '../../platform/names/name-lookups.js';
import { createHostResolvers } from './host-resolver.js';
import { Rejection, rejectionReasonOf } from './rejections.js';

type LookUp = NameLookups['lookUp'];

const isAllowed = (address: string) => address.startsWith('1.');
const answering = (...addresses: string[]) =>
  Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
const failing = (problem: LookupProblem) => () => Promise.reject(new LookupFailure(problem, 'ECODE'));

const notPublic = new Rejection('nameNotPublic');
const atOnce = () => Promise.resolve();

interface Options {
  readonly end?: () => void;
  readonly pauseFor?: (ms: number) => Promise<void>;
  readonly maxNames?: number;
}

const resolversOf = (lookUp: LookUp, { end = () => undefined, pauseFor = atOnce, ...more }: Options = {}) =>
  createHostResolvers({ isAllowed, openLookups: () => ({ lookUp, end }), pauseFor, ...more });
const resolverOf = (lookUp: LookUp, options?: Options) => resolversOf(lookUp, options)();

test('rejects a name if one of its addresses is not allowed', async () => {
  const resolver = resolverOf(() => answering('1.0.0.1', '2.0.0.1'));

  await expect(resolver.resolve('mixed.test')).rejects.toEqual(notPublic);
});

test('joins concurrent lookups of a name, and caches the result', async () => {
  let lookUps = 0;
  const openResolver = resolversOf(() => answering(`1.0.0.${(lookUps += 1)}`));
  const resolver = openResolver();
  const ask = (name: string) => resolver.resolve(name);
  const answers = await Promise.all([ask('a.test'), ask('a.test'), ask('a.test')]);

  expect(lookUps).toBe(1);
  expect(new Set(answers.flat().map(({ address }) => address))).toEqual(new Set(['1.0.0.1']));
  expect(await ask('a.test')).toEqual(answers[0]);
  expect(await openResolver().resolve('a.test')).toEqual(answers[0]);
});

test('looks up a name that does not exist once in a capture, even if it is asked for three times', async () => {
  let lookUps = 0;
  const openResolver = resolversOf(() => {
    lookUps += 1;
    return lookUps === 1 ? failing('notFound')() : answering('1.0.0.1');
  });
  const first = openResolver();

  for (let times = 0; times < 3; times += 1) await expect(first.resolve('late.test')).rejects.toThrow();
  expect(lookUps).toBe(1);
  expect(await openResolver().resolve('late.test')).toHaveLength(1);
});

test('a name without addresses counts as not found', async () => {
  await expect(resolverOf(() => answering()).resolve('empty.test')).rejects.toEqual(notPublic);
});

test.each([
  ['notFound', 'nameNotPublic'],
  ['noAnswer', 'nameNotAnswered'],
  ['serverFailure', 'nameServersFailed'],
] as const)('a lookup that fails with %s is rejected for the reason %s', async (problem, reason) => {
  const error: unknown = await resolverOf(failing(problem))
    .resolve('a.test')
    .catch((refused: unknown) => refused);

  expect(rejectionReasonOf(error)).toBe(reason);
});

test('allows or rejects an address without asking a name server', async () => {
  const resolver = resolverOf(() => Promise.reject(new Error('Not to be asked.')));

  await expect(resolver.resolve('2.0.0.1')).rejects.toEqual(new Rejection('notAllowed'));
  expect(await resolver.resolve('1.0.0.1')).toEqual([{ address: '1.0.0.1', family: 4 }]);
});

test.each<[string, LookUp]>([
  ['has a forbidden address', () => answering('2.0.0.1')],
  ['does not exist', failing('notFound')],
])('rejects a name that %s only after 250 ms, however soon the result is known', async (_what, lookUp) => {
  let endPause: () => void = () => undefined;
  const asked: number[] = [];
  const resolver = resolverOf(lookUp, {
    pauseFor: (ms) => {
      asked.push(ms);
      return new Promise((end) => (endPause = end));
    },
  });
  let isRefused = false;
  const refused = resolver.resolve('some.test').catch((error: unknown) => {
    isRefused = true;
    return error;
  });
  await new Promise((resolveLater) => setImmediate(resolveLater));
  expect([isRefused, asked]).toEqual([false, [250]]);
  endPause();
  expect(await refused).toEqual(notPublic);
});

test('a lookup of a public name is not delayed', async () => {
  const resolver = resolverOf(() => answering('1.0.0.1'), { pauseFor: () => new Promise(() => undefined) });

  expect(await resolver.resolve('public.test')).toHaveLength(1);
});

test('limits how many names one capture may look up, and the next capture starts anew', async () => {
  const names: string[] = [];
  const openResolver = resolversOf(
    (name) => {
      names.push(name);
      return failing('notFound')();
    },
    { maxNames: 2 },
  );
  const resolver = openResolver();
  for (const name of ['a.test', 'b.test', 'a.test'])
    await expect(resolver.resolve(name)).rejects.toThrow('nameNotPublic');

  await expect(resolver.resolve('c.test')).rejects.toThrow('tooManyNames');
  expect(names).toEqual(['a.test', 'b.test']);
  await expect(openResolver().resolve('c.test')).rejects.toThrow('nameNotPublic');
});

test('one capture looks up at most 32 names at the same time, and the others after that', async () => {
  let underWay = 0;
  let most = 0;
  const answers: (() => void)[] = [];
  const resolver = resolverOf(async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => answers.push(resolve));
    underWay -= 1;
    return answering('1.0.0.1');
  });
  const asking = Promise.all(Array.from({ length: 100 }, (_, index) => resolver.resolve(`${index}.test`)));
  for (let answered = 0; answered < 100; answered += 1) {
    await new Promise((resolveLater) => setImmediate(resolveLater));
    answers.shift()?.();
  }

  expect(await asking).toHaveLength(100);
  expect(most).toBe(32);
});

test('the end of a capture ends only its own lookups', () => {
  const ended: number[] = [];
  let opened = 0;
  const openResolver = createHostResolvers({
    isAllowed,
    openLookups: () => {
      const number = (opened += 1);
      return { lookUp: failing('notFound'), end: () => void ended.push(number) };
    },
  });
  const first = openResolver();
  openResolver();
  first.end();

  expect(ended).toEqual([1]);
});
