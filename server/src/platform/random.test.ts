import { BASE62, randomCharacters } from './random.js';

test('discards bytes that would favour the first characters', () => {
  // 248 = 4 × 62 is the first byte that is not used.
  const rounds = [Buffer.from([247, 248, 255, 0]), Buffer.from([61, 62])];
  const characters = randomCharacters(() => rounds.shift() ?? Buffer.alloc(0), BASE62, 4);
  expect(characters).toBe('z0z0');
});

test('maps the same number of byte values to each character', () => {
  const counts = new Map<string, number>();
  const everyByte = Buffer.from(Array.from({ length: 248 }, (_, byte) => byte));
  for (const character of randomCharacters(() => everyByte, BASE62, 248)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect([...counts.values()]).toEqual(Array.from({ length: 62 }, () => 4));
});
