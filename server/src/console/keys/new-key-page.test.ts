import { lookupCommand } from './new-key-page.js';

test('the command can be pasted unchanged: key, body and address are each one word of the shell', () => {
  expect(lookupCommand('https://signpost.example/base', 'sp_live_0Aa')).toBe(
    `curl -H "X-Api-Key: sp_live_0Aa" -H "Content-Type: application/json" -d '{"postcode":"SW1A 1AA"}' https://signpost.example/base/api/postcode/lookup`,
  );
});
