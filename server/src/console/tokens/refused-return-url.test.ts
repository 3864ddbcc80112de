import { refusedReturnUrl } from './refused-return-url.js';

test.each(['', '  '])('%j counts as a missing return URL', (text) => {
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
])('%s cannot be a return URL, even if it were registered', (text) => {
  expect(refusedReturnUrl(text)).toMatchObject({
    title: 'Not an address to return to',
    hasAddress: true,
    canBeRegistered: false,
  });
});

test('an address that already contains a token is rejected for that reason', () => {
  const refused = refusedReturnUrl('https://receiver.example/callback?token=mine');
  expect(refused).toMatchObject({ hasAddress: true, canBeRegistered: false });
  expect(refused.explanation).toContain('already has a token');
});

test('a complete web address that is not registered could be registered', () => {
  expect(refusedReturnUrl('https://receiver.example/callback?state=1')).toMatchObject({
    title: 'This site is not known here',
    hasAddress: true,
    canBeRegistered: true,
  });
});
