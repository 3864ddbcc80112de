import { refusedReturnUrl } from './refused-return-url.js';

test.each(['', '  '])('%j is none at all, and there is nothing to show', (text) => {
  expect(refusedReturnUrl(text)).toMatchObject({ title: 'No address to return to', hasAddress: false });
});

test.each([
  'receiver.example/callback',
  '/overview',
  '//receiver.example',
  'javascript:alert(1)',
  'https://',
  'data:,a',
  'https://ada@receiver.example/callback',
  'https://receiver.example/callback#part',
])('%s is no address to return to, and registering it would not help', (text) => {
  expect(refusedReturnUrl(text)).toMatchObject({
    title: 'Not an address to return to',
    hasAddress: true,
    canBeRegistered: false,
  });
});

test('an address that has a token already is refused for that', () => {
  const refused = refusedReturnUrl('https://receiver.example/callback?token=mine');
  expect(refused).toMatchObject({ hasAddress: true, canBeRegistered: false });
  expect(refused.explanation).toContain('has a token already');
});

test('a whole web address that is not registered may be', () => {
  expect(refusedReturnUrl('https://receiver.example/callback?state=1')).toMatchObject({
    title: 'This site is not known here',
    hasAddress: true,
    canBeRegistered: true,
  });
});
