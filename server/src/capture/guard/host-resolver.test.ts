import { createHostResolver, type Resolve } from './connect-upstream.js';
import { Refusal } from './refusals.js';

const isAllowed = (address: string) => address.startsWith('1.');
const answering = (...addresses: string[]) =>
  Promise.resolve(addresses.map((address) => ({ address, family: 4 })));

const notPublic = new Refusal('nameNotPublic');
const atOnce = () => Promise.resolve();
const resolverOf = (resolve: Resolve) => createHostResolver(isAllowed, resolve, atOnce);

test('one forbidden address among the results rejects the name', async () => {
  const resolve = resolverOf(() => answering('1.0.0.1', '2.0.0.1'));

  await expect(resolve('mixed.test')).rejects.toEqual(notPublic);
});

test('concurrent lookups of a name are joined, and the result is cached', async () => {
  let lookUps = 0;
  const resolve = resolverOf(() => answering(`1.0.0.${(lookUps += 1)}`));
  const answers = await Promise.all([resolve('a.test'), resolve('a.test'), resolve('a.test')]);

  expect(lookUps).toBe(1);
  expect(new Set(answers.flat().map(({ address }) => address))).toEqual(new Set(['1.0.0.1']));
  expect(await resolve('a.test')).toEqual(answers[0]);
});

test('a name that was not found is looked up again the next time', async () => {
  let lookUps = 0;
  const resolve = resolverOf(() => {
    lookUps += 1;
    return lookUps === 1 ? Promise.reject(new Error('ENOTFOUND')) : answering('1.0.0.1');
  });

  await expect(resolve('late.test')).rejects.toEqual(notPublic);
  expect(await resolve('late.test')).toHaveLength(1);
});

test('a name without addresses is not found', async () => {
  await expect(resolverOf(() => answering())('empty.test')).rejects.toEqual(notPublic);
});

test('a forbidden address is rejected as such, without a lookup', async () => {
  const resolve = resolverOf(() => Promise.reject(new Error('Not to be asked.')));

  await expect(resolve('2.0.0.1')).rejects.toEqual(new Refusal('notAllowed'));
  expect(await resolve('1.0.0.1')).toEqual([{ address: '1.0.0.1', family: 4 }]);
});

test.each<[string, Resolve]>([
  ['leads inside', () => answering('2.0.0.1')],
  ['does not exist', () => Promise.reject(new Error('ENOTFOUND'))],
])('a name that %s is refused after the same time, however soon that is known', async (_what, ask) => {
  let endPause: () => void = () => undefined;
  const asked: number[] = [];
  const resolve = createHostResolver(isAllowed, ask, (ms) => {
    asked.push(ms);
    return new Promise((end) => (endPause = end));
  });
  let isRefused = false;
  const refused = resolve('some.test').catch((error: unknown) => {
    isRefused = true;
    return error;
  });
  await new Promise((resolveLater) => setImmediate(resolveLater));
  expect([isRefused, asked]).toEqual([false, [250]]);
  endPause();
  expect(await refused).toEqual(notPublic);
});

test('a public name is not delayed', async () => {
  const resolve = createHostResolver(
    isAllowed,
    () => answering('1.0.0.1'),
    () => new Promise(() => undefined),
  );

  expect(await resolve('public.test')).toHaveLength(1);
});
