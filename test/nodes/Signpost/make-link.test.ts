import { operations } from '../../../contract/src/index';
import { createCaptureLink } from '../../../nodes/Signpost/capture/make-link';
import { httpFailure, networkFailure, success } from '../fixtures/fake-execution';
import { run } from '../fixtures/new-node';

const url = 'https://example.com/dashboard';
const link = { url: 'https://signpost.example/c/a1b2c3', expiresAt: '2026-12-26T00:00:00.000Z' };
const answer = () => success(link);

test('Make Link makes a link to a capture, and puts it beside the fields of the item', async () => {
  const paths: string[] = [];
  const { json, bodies } = await run(createCaptureLink, {
    parameters: {
      linkedCapture: 'captureScreenshot',
      url: ` ${url} `,
      captureOptions: '{ "fullPage": true }',
      options: { refreshSeconds: '600', expiresInSeconds: 86_400, fieldPrefix: 'link_' },
    },
    items: [{ url, team: 'Sales' }],
    answer: (_body, path) => {
      paths.push(path);
      return answer();
    },
  });
  expect(paths).toEqual(['http://signpost.test/api/link']);
  const body = {
    operation: 'captureScreenshot',
    refreshSeconds: 600,
    expiresInSeconds: 86_400,
    request: { url, fullPage: true },
  };
  expect(bodies).toEqual([body]);
  expect(operations.createCaptureLink.request.safeParse(body).success).toBe(true);
  expect(json).toEqual([{ url, team: 'Sales', link_url: link.url, link_expiresAt: link.expiresAt }]);
});

test('Make Link needs only the address, and sends no other option', async () => {
  const { json, bodies } = await run(createCaptureLink, {
    parameters: { linkedCapture: 'capturePdf', url, captureOptions: '' },
    items: [{ row: 7 }],
    answer,
  });
  expect(bodies).toEqual([{ operation: 'capturePdf', request: { url } }]);
  expect(json).toEqual([{ row: 7, ...link }]);
});

test.each([
  [{ url: ' ' }, 'URL is empty'],
  [{ url, captureOptions: 'fullPage' }, 'Capture Options is not a JSON object'],
  [{ url, captureOptions: '[1]' }, 'Capture Options is not a JSON object'],
])('Make Link fails an item with the parameters %j, and sends nothing', async (given, error) => {
  const parameters = { linkedCapture: 'captureScreenshot', ...given };
  const { json, bodies } = await run(createCaptureLink, { parameters, items: [{ row: 7 }], answer });
  expect(bodies).toEqual([]);
  expect(json[0]).toMatchObject({ row: 7, error });
});

test.each([
  ['a proxy responds with 502', httpFailure(502, '<html>Bad Gateway</html>')],
  ['a proxy responds with 504', httpFailure(504, '<html>Gateway Timeout</html>')],
  ['the connection breaks', networkFailure('ECONNRESET')],
])(
  'Make Link sends its request only once if %s, because the link may have been made',
  async (_name, failure) => {
    const { json, bodies } = await run(createCaptureLink, {
      parameters: { linkedCapture: 'captureScreenshot', url },
      items: [{ row: 7 }],
      answer: () => Promise.reject(failure),
    });
    expect(bodies).toHaveLength(1);
    expect(json).toEqual([{ row: 7, error: expect.any(String), details: expect.anything() }]);
  },
);

test('Make Link uses the names of the editor in messages of the server', async () => {
  const { json } = await run(createCaptureLink, {
    parameters: { linkedCapture: 'captureScreenshot', url, captureOptions: '{ "steps": [] }' },
    answer: () =>
      Promise.reject(
        httpFailure(400, {
          error: '"request" must have no "steps": anyone with the link would use it without knowing it',
        }),
      ),
  });
  expect(json[0]).toMatchObject({ error: expect.stringMatching(/^Capture Options must have no "steps"/u) });
});
