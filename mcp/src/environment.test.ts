import { cleanEnvironment } from './environment.js';

test.each([
  [' sp_live_x\n', 'sp_live_x'],
  ['"sp_live_x"', 'sp_live_x'],
  ["' sp_live_x '", 'sp_live_x'],
  ['', undefined],
  ['  ', undefined],
  ['""', undefined],
])('reads the value %j of a variable of Signpost as %j', (value, expected) => {
  const env = { SIGNPOST_API_KEY: value, OTHER: value };
  expect([cleanEnvironment(env), env.SIGNPOST_API_KEY, env.OTHER]).toEqual([[], expected, value]);
});

test.each(['${SIGNPOST_API_KEY}', '${input:key}', '$KEY', '%KEY%', 'Bearer ${env:KEY}'])(
  'says that the placeholder in %j was not replaced, and unsets the variable',
  (value) => {
    const env = { SIGNPOST_API_KEY: value };
    expect(cleanEnvironment(env)).toEqual([
      expect.stringMatching(/^SIGNPOST_API_KEY is ".+", which the client should have replaced/u),
    ]);
    expect(env).toEqual({});
  },
);

test('unsets an output folder with a placeholder, and reports no problem', () => {
  const env = { SIGNPOST_MCP_OUTPUT_DIR: '${DOWNLOADS}/signpost' };
  expect([cleanEnvironment(env), env]).toEqual([[], {}]);
});
