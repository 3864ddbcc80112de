import { ServiceError } from '../platform/errors.js';
import { FAILURE_REASONS, FAILURE_TEXTS, type FailureReason, FailureWatch } from './failure-watch.js';

let lines: string[];
beforeEach(() => (lines = []));

const note = (level: string) => (fields: object, message: string) =>
  void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
const open = () =>
  new FailureWatch({ debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') });
const failureBy = (reason: FailureReason) =>
  new ServiceError('invalidRequest', 'It failed.', { reason, detail: 'net::ERR_X' });

test.each(['name', 'unreachable', 'proxy', 'certificate', 'memory', 'disk', 'timeout'] as const)(
  'logs five failures in a row for the reason %s once, with a cure, and then the next success',
  (reason) => {
    const watch = open();
    for (let count = 0; count < 4; count += 1) watch.failed(failureBy(reason));
    expect([watch.failing, lines]).toEqual([undefined, []]);
    for (let count = 0; count < 4; count += 1) watch.failed(failureBy(reason));
    expect(watch.failing).toEqual({ reason, count: 8, detail: 'net::ERR_X' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`warn The last 5 captures failed because ${FAILURE_TEXTS[reason].why}.`);
    expect(lines[0]).toContain(FAILURE_TEXTS[reason].cure.slice(0, 20));

    watch.succeeded();
    expect(watch.failing).toBeUndefined();
    expect(lines[1]).toContain('info Captures succeed again.');
  },
);

test('reports nothing if captures succeed in between, or fail for alternating reasons or the reason "other"', () => {
  const watch = open();
  for (let count = 0; count < 20; count += 1) {
    watch.failed(failureBy('certificate'));
    if (count % 4 === 3) watch.succeeded();
  }
  for (let count = 0; count < 20; count += 1) watch.failed(failureBy(count % 2 === 0 ? 'name' : 'timeout'));
  for (let count = 0; count < 20; count += 1) watch.failed(failureBy('other'));
  expect([watch.failing, lines]).toEqual([undefined, []]);
});

test('logs each reason once until a success, and then the success, even if the last failure was not logged', () => {
  const watch = open();
  for (let round = 0; round < 2; round += 1) {
    for (let count = 0; count < 5; count += 1) watch.failed(failureBy('certificate'));
    watch.failed(failureBy('timeout'));
  }
  expect(lines).toEqual([expect.stringContaining('warn The last 5 captures')]);
  watch.succeeded();
  watch.succeeded();
  expect(lines.slice(1)).toEqual(['info Captures succeed again. {}']);

  for (let count = 0; count < 5; count += 1) watch.failed(failureBy('certificate'));
  for (let count = 0; count < 5; count += 1) watch.failed(failureBy('timeout'));
  expect(lines).toHaveLength(4);
});

test('every reason has a text and a cure', () => {
  for (const reason of FAILURE_REASONS) {
    expect(FAILURE_TEXTS[reason].why).not.toBe('');
    expect(FAILURE_TEXTS[reason].cure).toMatch(/\.$/u);
  }
});
