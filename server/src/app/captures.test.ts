import { rememberBriefly } from './captures.js';

function counted() {
  let nowMs = 1_000;
  const asked: string[] = [];
  const read = rememberBriefly(
    (name: string) => {
      asked.push(name);
      return name === 'broken' ? Promise.reject(new Error('a defect')) : Promise.resolve(asked.length);
    },
    () => nowMs,
  );
  return { asked, read, pass: (ms: number) => (nowMs += ms) };
}

test('the same question is asked once within two seconds, also at the same time', async () => {
  const { asked, read, pass } = counted();
  expect(await Promise.all([read('a'), read('b'), read('a')])).toEqual([1, 2, 1]);
  pass(1_999);
  expect(await read('a')).toBe(1);
  pass(2);
  expect(await read('a')).toBe(3);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('a failure is not remembered', async () => {
  const { asked, read } = counted();
  await expect(read('broken')).rejects.toThrow('a defect');
  await expect(read('broken')).rejects.toThrow('a defect');
  expect(asked).toHaveLength(2);
});
