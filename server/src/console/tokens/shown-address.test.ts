import { printableAddress } from './refused-return-url.js';

test('an address of reasonable length is shown as it is', () => {
  const address = `https://receiver.example/${'a'.repeat(135)}`;
  expect(address).toHaveLength(160);
  expect(printableAddress(address)).toBe(address);
});

test('a longer one is cut, and its length is said', () => {
  const address = `https://receiver.example/${'a'.repeat(5_000)}`;
  expect(printableAddress(address)).toBe(
    `https://receiver.example/${'a'.repeat(135)}… (cut; it has 5,025 characters)`,
  );
});

test('no character is cut in two', () => {
  expect(printableAddress('😀'.repeat(161))).toBe(`${'😀'.repeat(160)}… (cut; it has 161 characters)`);
});

test('what would turn, hide or break the words around it is made visible', () => {
  expect(printableAddress('https://a.example/\u202Egro.elpmaxe\u0000\n\u200B')).toBe(
    'https://a.example/\u{FFFD}gro.elpmaxe\u{FFFD}\u{FFFD}\u{FFFD}',
  );
});
