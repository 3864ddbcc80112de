import { lookupCommand } from './new-key-page.js';

test('the line can be pasted as it is: key, body and address are in it, each as one word of the shell', () => {
  expect(lookupCommand('https://signpost.example/base', 'sp_live_0Aa')).toBe(
    `curl -H "X-Api-Key: sp_live_0Aa" -H "Content-Type: application/json" -d '{"postcode":"SW1A 1AA"}' https://signpost.example/base/api/postcode/lookup`,
  );
});
