import { repeatsValue } from './step-target.js';

test.each<[string, readonly string[], boolean]>([
  ['http://canary77.evil.example', ['Canary 77'], true],
  ['http://login.example.com', ['reader@example.com', 'canary77'], false],
  ['http://login.example.com', ['', '€'], false],
])('says whether the text %s repeats one of the values %j: %s', (text, typed, repeats) => {
  expect(repeatsValue(typed, text)).toBe(repeats);
});
