import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const download: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-disposition': 'attachment' }).end('x');
};

const otherProtocol: Handler = (_request, { socket }) =>
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n');

const redirect =
  (address: string): Handler =>
  (_request, response) => {
    response.writeHead(302, { location: address }).end();
  };

/** Addresses that lead to no page. */
const NOWHERE: Readonly<Record<string, string>> = {
  'a mail program': 'mailto:someone@example.com',
  'another program': 'other-program://open',
  'a download': '/download',
  'an empty answer': '/slow?ms=1',
  'another protocol': '/other-protocol',
};

const shown = (more: string) => `<!doctype html><body style="margin:0;background:rgb(1,2,3)">${more}`;
const WAYS: Readonly<Record<string, (address: string) => string>> = {
  'once it is loaded': (address) => shown(`<script>onload=()=>{location="${address}"}</script>`),
  'while it loads': (address) => shown(`<script>location="${address}"</script><p>more`),
  'by a meta element': (address) => shown(`<meta http-equiv="refresh" content="0;url=${address}">`),
  'in a frame': (address) => shown(`<iframe hidden src="${address}"></iframe>`),
};

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  const pages = Object.entries(NOWHERE).flatMap(([where, address]) =>
    Object.entries(WAYS).map(([when, page]) => [`/${encodeURI(`${where} ${when}`)}`, page(address)] as const),
  );
  const redirects = Object.entries(NOWHERE).map(
    ([where, address]) => [`/${encodeURI(where)}`, redirect(address)] as const,
  );
  site = await startPageServer({
    ...Object.fromEntries(pages),
    ...Object.fromEntries(redirects),
    '/download': download,
    '/other-protocol': otherProtocol,
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const cases = Object.keys(NOWHERE).flatMap((where) =>
  Object.keys(WAYS).map((when) => [where, when] as const),
);

test.each(cases)('captures a page as it is if it navigates to %s %s', async (where, when) => {
  const { body, pageStatus } = await shoot(capture, site.url(`/${encodeURI(`${where} ${when}`)}`));

  expect(decodePng(body).at(50, 90)).toEqual([1, 2, 3]);
  expect(pageStatus).toBe(200);
});

test.each([
  ['/download', /it is a download/u],
  ['/slow?ms=1', /its answer was empty/u],
  ['/other-protocol', /its answer was empty/u],
])(
  'rejects the address %s, which responds with a download or with no content instead of a page',
  async (path, words) => {
    expect(await outcome(shoot(capture, site.url(path)))).toEqual({
      kind: 'invalidRequest',
      message: expect.stringMatching(words),
    });
  },
);

test.each([
  ['a mail program', /leads to another program/u],
  ['another program', /leads to another program/u],
  ['a download', /it is a download/u],
  ['an empty answer', /its answer was empty/u],
  ['another protocol', /its answer was empty/u],
])('rejects an address that redirects to %s, because there is no page', async (where, words) => {
  expect(await outcome(shoot(capture, site.url(`/${encodeURI(where)}`)))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringMatching(words),
  });
});
