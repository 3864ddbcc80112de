import { recogniseFile, textOfFile } from './recognise-file.js';

const file = (body: string | Buffer, contentType = '', more: object = {}) => ({
  url: 'https://example.com/file',
  status: 200,
  body: Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'),
  contentType,
  disposition: '',
  ...more,
});

test.each<[string, string, object]>([
  ['%PDF-1.7', 'application/octet-stream', {}],
  ['%PDF-1.7', '', {}],
  ['junk\n%PDF-1.7', 'text/plain', {}],
  ['%PDF-1.7', 'text/html; charset=utf-8', {}],
  ['\xEF\xBB\xBF\r\n%PDF-1.7', 'text/html', {}],
])('recognises a PDF by its beginning, whatever its type: %j sent as "%s"', (body, type, more) => {
  expect(recogniseFile(file(body, type, more))).toEqual({ kind: 'pdf' });
});

test.each<[string, string, object]>([
  ['a,b', 'text/csv; charset=utf-8', {}],
  ['a\tb', 'text/tab-separated-values', {}],
  ['a,b', 'application/octet-stream', { disposition: 'attachment; filename="list.csv"' }],
  ['a,b', 'application/octet-stream', { disposition: "attachment; filename*=UTF-8''list.csv" }],
  ['a,b', 'application/vnd.ms-excel', { url: 'https://example.com/list.CSV?x=1' }],
])('recognises a table by its type or its name: %j sent as "%s", with %j', (body, type, more) => {
  expect(recogniseFile(file(body, type, more))).toEqual({ kind: 'table' });
});

test.each<[string, string, string, boolean]>([
  ['{}', 'application/json', 'text/plain', true],
  ['{}', 'application/ld+json', 'text/plain', true],
  ['BEGIN:VCALENDAR', 'text/calendar', 'text/plain', true],
  ['\x89PNG\r\n', 'application/octet-stream', 'image/png', false],
  ['\xFF\xD8\xFF', 'image/png', 'image/jpeg', false],
  ['<svg/>', 'image/svg+xml', 'image/svg+xml', false],
  ['<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns=""/>', 'application/octet-stream', 'image/svg+xml', false],
  ['<p>', 'text/html; charset=utf-8', 'text/html', false],
  ['<p>%PDF-1.7', 'text/html', 'text/html', false],
])('recognises a file that the browser can show: %j sent as "%s"', (body, type, mediaType, isText) => {
  expect(recogniseFile(file(body, type))).toEqual({ kind: 'shown', mediaType, isText });
});

test('a file of 140 empty comments is not recognised as an SVG image', () => {
  expect(recogniseFile(file(`${'<!---->'.repeat(140)}x`, 'application/octet-stream'))).toMatchObject({
    kind: 'other',
  });
});

test('HTML is not shown if its headers say that it is a download', () => {
  const page = file('<p>', 'text/html', { disposition: 'attachment; filename=a.html' });
  expect(recogniseFile(page)).toEqual({ kind: 'other', name: 'a page that is sent to be saved' });
});

test.each<[string | Buffer, string, string]>([
  ['', 'application/pdf', 'an empty file'],
  ['no PDF', 'application/pdf', 'a file that says it is a PDF, but is not one'],
  ['PK\x03\x04', 'application/zip', 'an archive'],
  ['PK\x03\x04', '', 'a ZIP archive'],
  [
    'PK\x03\x04',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'a Word document',
  ],
  ['\x1F\x8B', 'application/octet-stream', 'an archive'],
  ['MZ', 'application/octet-stream', 'a program'],
  ['\0\0\0\x20ftypisom', 'video/mp4', 'a video'],
  ['\0\0\0\x20ftypheic', 'application/octet-stream', 'an image that the browser cannot show'],
  ['?', 'application/x-thing', 'a file of the type application/x-thing'],
  ['?', 'say "hello" to everybody', 'a download of an unknown type'],
  [Buffer.from([0, 1, 2]), 'text/csv', 'a file of the type text/csv'],
])('names the type of a file that cannot be captured: %j sent as "%s"', (body, type, name) => {
  expect(recogniseFile(file(body, type))).toEqual({ kind: 'other', name });
});

test.each<[string, Buffer, string]>([
  ['a byte order mark', Buffer.from('\uFEFFcafé', 'utf16le'), 'text/csv; charset=utf-8'],
  ['its stated character set', Buffer.from('café', 'latin1'), 'text/csv; charset="ISO-8859-1"'],
  ['UTF-8 if nothing is stated', Buffer.from('café'), 'text/csv'],
  ['Windows-1252 if it is not UTF-8', Buffer.from('café', 'latin1'), 'text/csv; charset=none-such'],
])('decodes a text according to %s', (_what, body, type) => {
  expect(textOfFile(file(body, type))).toBe('café');
});

test.each(['text/csv', 'text/csv; charset=iso-8859-1', 'text/csv; charset=windows-1252'])(
  'decodes the characters of Windows-1252 in a text of the type %s',
  (type) => {
    const body = Buffer.from('\x80 5 \x96 \x93caf\xE9\x94', 'latin1');
    expect(textOfFile(file(body, type))).toBe('€ 5 – “café”');
  },
);
