import { execFileSync } from 'node:child_process';
import { operations, type Operation } from '@signpost/contract';
import { curlExample, requestExample } from './request-example.js';
import { describe as describeSchema } from './json-schema.js';

const publicUrl = 'https://signpost.example';

/** The words of the command as a shell splits them, with these variables. */
function wordsOf(operation: Operation, environment: Record<string, string>): readonly string[] {
  const example =
    operation.request === undefined
      ? undefined
      : requestExample(describeSchema(operation.request, 'input').root, publicUrl);
  const command = curlExample(operation, example, publicUrl).replace(/^curl/u, String.raw`printf '%s\n'`);
  return execFileSync('sh', ['-c', command], { env: environment, encoding: 'utf8' }).trimEnd().split('\n');
}

describe('the command of an operation', () => {
  test('sends the API key and the shortest body that is taken', () => {
    expect(wordsOf(operations.lookupPostcode, { KEY: 'sp_live_1' })).toEqual([
      '-H',
      'X-Api-Key: sp_live_1',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"postcode":"SW1A 1AA"}',
      'https://signpost.example/api/postcode/lookup',
    ]);
  });

  test("captures the server's own front page, which it reaches without the internet, into a file", () => {
    const words = wordsOf(operations.capturePdf, { KEY: 'sp_live_1' });
    expect(words).toContain('{"url":"https://signpost.example/"}');
    expect(words).toEqual(expect.arrayContaining(['-o', 'page.pdf']));
  });

  test('a call of interface B carries the word Bearer and the access token', () => {
    expect(wordsOf(operations.getTokenStatus, { TOKEN: 'eyJ' })).toEqual([
      '-H',
      'Authorization: Bearer eyJ',
      'https://signpost.example/api/token/status',
    ]);
  });

  test('a secret of the body is a variable of the shell', () => {
    expect(wordsOf(operations.refreshToken, { REFRESH_TOKEN: 'spr_1' })).toContain(
      '{"refreshToken":"spr_1"}',
    );
  });
});
