import { requestedPage } from './requested-page.js';

test.each([
  ['https://example.org/a/b', 'https://example.org/a/b'],
  ['https://example.org', 'https://example.org/'],
  ['https://me:secret@example.org/a?token=secret#secret', 'https://example.org/a'],
  ['http://EXAMPLE.org:8080/ä b"<', 'http://example.org:8080/%C3%A4%20b%22%3C'],
  [`https://example.org/${'x'.repeat(600)}`, `https://example.org/${'x'.repeat(480)}…`],
])('of the address %j, the log may contain only scheme, host, port and path, shortened', (url, page) => {
  expect(requestedPage('captureScreenshot', { url, width: 100 })).toBe(page);
});

test.each([
  ['captureScreenshot', { url: 'secret.example/private' }],
  ['captureScreenshot', { url: 'file:///etc/passwd' }],
  ['capturePdf', { html: '<p>secret</p>', baseUrl: 'https://example.org/secret' }],
  ['readPage', undefined],
  ['readPage', { url: 7 }],
  ['lookupPostcode', { postcode: 'SW1A 1AA', url: 'https://example.org/' }],
  ['getUsage', null],
])('the operation %s with the request %j has no page', (operation, body) => {
  expect(requestedPage(operation, body)).toBeUndefined();
});
