import { createLogger } from './logger.js';

const linesOf = (log: (logger: ReturnType<typeof createLogger>) => void) => {
  const lines: string[] = [];
  log(createLogger('info', { write: (line) => lines.push(line) }));
  return lines;
};

test('a line is one JSON object with level, time in UTC, fields and message', () => {
  const [line] = linesOf((logger) => logger.warn({ status: 503 }, 'A request was not served.'));
  expect(JSON.parse(line ?? '')).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/u),
    status: 503,
    msg: 'A request was not served.',
  });
});

test('fields that hold secrets are blotted out wherever they stand', () => {
  const canary = 'canary-4711';
  const lines = linesOf((logger) => {
    logger.error({ apiKey: canary, headers: { 'x-api-key': canary, cookie: canary } }, 'first');
    logger.error(
      { request: { headers: { authorization: canary } }, account: { password: canary } },
      'second',
    );
  });
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain(canary);
});

test('an API key inside any text is blotted out', () => {
  const key = `sp_live_${'a1B2'.repeat(9)}`;
  const [line] = linesOf((logger) =>
    logger.error({ err: new Error(`no row for ${key}`) }, `failed with ${key}`),
  );
  expect(line).not.toContain(key);
  expect(line).toContain('sp_live_[redacted]');
});

test('a level below the chosen one is not written', () => {
  expect(linesOf((logger) => logger.debug({}, 'detail'))).toEqual([]);
});
