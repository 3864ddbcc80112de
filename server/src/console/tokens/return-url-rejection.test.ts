import { explainRejection } from './return-url-rejection.js';

test.each(['', '  '])('the return URL %j counts as missing', (text) => {
  expect(explainRejection(text)).toMatchObject({ title: 'No address to return to', hasAddress: false });
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
])('%s is not accepted as a return URL and cannot be registered', (text) => {
  expect(explainRejection(text)).toMatchObject({
    title: 'Not an address to return to',
    hasAddress: true,
    canBeRegistered: false,
  });
});

test('an address that already contains a token is rejected for that reason', () => {
  const refused = explainRejection('https://receiver.example/callback?token=mine');
  expect(refused).toMatchObject({ hasAddress: true, canBeRegistered: false });
  expect(refused.explanation).toContain('already has a token');
});

test('a complete web address is called unknown and can be registered', () => {
  expect(explainRejection('https://receiver.example/callback?state=1')).toMatchObject({
    title: 'This site is not known here',
    hasAddress: true,
    canBeRegistered: true,
  });
});
