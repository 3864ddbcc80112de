import { lookupCommand } from './new-key-page.js';

test('the example command has the key, the body and the address as one shell word each', () => {
  expect(lookupCommand('https://signpost.example/base', 'sp_live_0Aa')).toBe(
    `curl -H "X-Api-Key: sp_live_0Aa" -H "Content-Type: application/json" -d '{"postcode":"SW1A 1AA"}' https://signpost.example/base/api/postcode/lookup`,
  );
});
