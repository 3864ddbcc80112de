import { createLogger } from '../platform/log.js';
import { readableLines } from './readable-log.js';

function linesOf(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = { write: (line: string) => (text += line) };
  write(
    createLogger(
      'debug',
      destination,
      readableLines((_style, part) => part),
    ),
  );
  return text;
}

test('a readable line has time, level, message and fields, without JSON around them', () => {
  expect(
    linesOf((log) => log.warn({ status: 503, path: '/api/pdf', why: 'two words' }, 'Not served.')),
  ).toMatch(/^\d\d:\d\d:\d\d WARN {2}Not served\. status=503 path=\/api\/pdf why="two words"\n$/u);
  expect(linesOf((log) => log.info({}, 'Ready.'))).toMatch(/^\d\d:\d\d:\d\d INFO {2}Ready\.\n$/u);
});

test('a readable line leaves out fields that are null', () => {
  const text = linesOf((log) => log.info({ actor: null, attempts: 0, subject: 'acc_1' }, 'Audit.'));
  expect(text).toMatch(/ Audit\. attempts=0 subject=acc_1\n$/u);
});

test('the stack of an error is indented below its readable line', () => {
  const text = linesOf((log) => log.error({ err: new Error('broken') }, 'It failed.'));
  expect(text).toMatch(/ERROR It failed\.\n {4}Error: broken\n {8}at /u);
});

test('redacts secrets in fields and messages of readable lines', () => {
  const text = linesOf((log) => log.error({ apiKey: 'canary', note: 'sp_live_abcdef' }, 'Seen sp_live_xyz.'));
  expect(text).not.toMatch(/canary|abcdef|xyz/u);
});

test('readable lines have escapes in place of control and direction characters', () => {
  const err = new Error('broken\u001B[2J');
  const text = linesOf((log) =>
    log.error({ err, page: '\u001B[31m', note: 'a \u009B2Jb\u202E' }, 'x\u0007\u202E'),
  );
  expect(text).toContain(String.raw`x\u0007\u202e page=\u001b[31m note="a \u009b2Jb\u202e"`);
  expect(text).toContain(String.raw`    Error: broken\u001b[2J`);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});
