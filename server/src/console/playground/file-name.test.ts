import { fileName } from './playground-pages.js';

test.each([
  ['https://www.example.com/a/b?c=d', 'png', 'www.example.com.png'],
  ['http://127.0.0.1:3000/', 'pdf', '127.0.0.1.pdf'],
  ['http://[2001:db8::1]/', 'jpg', '2001-db8-1.jpg'],
  ['https://bücher.example/', 'png', 'xn--bcher-kva.example.png'],
  ['not an address', 'png', 'page.png'],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`, 'png', `${'a'.repeat(60)}.${'b'.repeat(19)}.png`],
])('%s as %s is saved as %s', (url, extension, name) => {
  expect(fileName(url, extension)).toBe(name);
});
