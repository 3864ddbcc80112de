import { createHostResolver } from './connect-upstream.js';
import { Refusal } from './refusals.js';

const isAllowed = (address: string) => address.startsWith('1.');
const answering = (...addresses: string[]) =>
  Promise.resolve(addresses.map((address) => ({ address, family: 4 })));

test('one address among the answers that is not allowed refuses the name', async () => {
  const resolve = createHostResolver(isAllowed, () => answering('1.0.0.1', '2.0.0.1'));

  await expect(resolve('mixed.test')).rejects.toEqual(new Refusal('notAllowed'));
});

test('a name is looked up once for requests that come together, and its answer is kept', async () => {
  let lookUps = 0;
  const resolve = createHostResolver(isAllowed, () => answering(`1.0.0.${(lookUps += 1)}`));
  const answers = await Promise.all([resolve('a.test'), resolve('a.test'), resolve('a.test')]);

  expect(lookUps).toBe(1);
  expect(new Set(answers.flat().map(({ address }) => address))).toEqual(new Set(['1.0.0.1']));
  expect(await resolve('a.test')).toEqual(answers[0]);
});

test('a name that is not found is asked for again the next time', async () => {
  let lookUps = 0;
  const resolve = createHostResolver(isAllowed, () => {
    lookUps += 1;
    return lookUps === 1 ? Promise.reject(new Error('ENOTFOUND')) : answering('1.0.0.1');
  });

  await expect(resolve('late.test')).rejects.toEqual(new Refusal('nameNotFound'));
  expect(await resolve('late.test')).toHaveLength(1);
});

test('a name without addresses is not found', async () => {
  await expect(createHostResolver(isAllowed, () => answering())('empty.test')).rejects.toEqual(
    new Refusal('nameNotFound'),
  );
});
