import { printableAddress } from './return-url-rejection.js';

test('shows an address of 160 characters unchanged', () => {
  const address = `https://receiver.example/${'a'.repeat(135)}`;
  expect(address).toHaveLength(160);
  expect(printableAddress(address)).toBe(address);
});

test('cuts an address of more than 160 characters, and gives its length', () => {
  const address = `https://receiver.example/${'a'.repeat(5_000)}`;
  expect(printableAddress(address)).toBe(
    `https://receiver.example/${'a'.repeat(135)}… (cut; it has 5,025 characters)`,
  );
});

test('counts and cuts whole emoji, not the two code units of which each consists', () => {
  expect(printableAddress('😀'.repeat(161))).toBe(`${'😀'.repeat(160)}… (cut; it has 161 characters)`);
});

test('replaces characters that would reverse, hide or break the text around them by a visible one', () => {
  expect(printableAddress('https://a.example/\u202Egro.elpmaxe\u0000\n\u200B')).toBe(
    'https://a.example/\u{FFFD}gro.elpmaxe\u{FFFD}\u{FFFD}\u{FFFD}',
  );
});
