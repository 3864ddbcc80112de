import { httpFailure, networkFailure } from '../fixtures/fake-execution';
import { NodeApiError, type INode } from 'n8n-workflow';
import { failureJson, readFailure, withoutFailure } from '../../../nodes/shared/failure';

const node: INode = {
  id: '1',
  name: 'Signpost',
  type: 'n8n-nodes-signpost.signpost',
  typeVersion: 1.2,
  position: [0, 0],
  parameters: {},
};
const NOW_MS = Date.UTC(2026, 2, 1, 12);
const limited = (retryAfter: string) => httpFailure(429, { error: 'No.' }, { 'retry-after': retryAfter });

test.each([
  ['30', 30],
  ['0', 0],
  ['Sun, 01 Mar 2026 12:00:05 GMT', 5],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['1e300', 31_622_400],
])('Retry-After "%s" is read as this number of seconds: %p', (header, seconds) => {
  expect(readFailure(limited(header), NOW_MS).retryAfterSeconds).toBe(seconds);
});

test.each([
  ['an object', { error: 'Words.' }],
  ['a text', '{"error":"Words."}'],
  ['bytes', Buffer.from('{"error":"Words."}')],
  ['an array buffer', Uint8Array.from(Buffer.from('{"error":"Words."}')).buffer],
])("the server's message is read from %s", (_form, data) => {
  expect(readFailure(httpFailure(400, data), NOW_MS)).toMatchObject({ status: 400, message: 'Words.' });
});

test('a failed response that is a web page has its status and no message', () => {
  expect(readFailure(httpFailure(502, '<html>Bad Gateway</html>'), NOW_MS)).toMatchObject({
    status: 502,
    message: undefined,
  });
});

test('a network error has its code and no status', () => {
  expect(readFailure(networkFailure('ECONNREFUSED'), NOW_MS)).toMatchObject({
    status: undefined,
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED',
  });
});

test("errors use the names of the node's operations instead of the server's requests", () => {
  const data = { error: 'Ask POST /api/postcode/outcode with {"outcode": "E1"}, not POST /api/other.' };
  expect(readFailure(httpFailure(400, data), NOW_MS).message).toBe(
    'Ask the operation Get Outcode with {"outcode": "E1"}, not POST /api/other.',
  );
});

test.each(['The page answers with the status 404.', 'Nothing there'])(
  'withoutFailure removes the fields of the failure "%s", and keeps the others of the item',
  (message) => {
    const failed = failureJson(new NodeApiError(node, {}, { message, description: 'Why.', httpCode: '400' }));
    expect(withoutFailure({ name: 'Ada', ...failed })).toEqual({ name: 'Ada' });
    expect(withoutFailure({ pageStatus: 200, ...failed })).toEqual(
      'pageStatus' in failed ? {} : { pageStatus: 200 },
    );
  },
);
