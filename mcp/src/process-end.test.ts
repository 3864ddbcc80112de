import { stopSignal } from './process-end.js';

/** Returns a fake process whose signals, parent and exit the test controls. */
function fakeHost(env: NodeJS.ProcessEnv = {}) {
  const listeners: (() => void)[] = [];
  const exits: number[] = [];
  const host = {
    env,
    ppid: 100,
    on: (_signal: string, listener: () => void) => void listeners.push(listener),
    exit: (code: number) => void exits.push(code),
  };
  return { host, exits, signal: () => listeners[0]?.() };
}

const isSettled = (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), Promise.resolve(false)]);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('stops at the first signal, ignores another one within a second, which a parent may have sent on, and ends the process at a later one', async () => {
  let nowMs = 5_000;
  const { host, exits, signal } = fakeHost();
  const stopped = stopSignal(host, () => nowMs);
  expect(await isSettled(stopped)).toBe(false);

  signal();
  await stopped;
  nowMs += 900;
  signal();
  expect(exits).toEqual([]);
  nowMs += 200;
  signal();
  expect(exits).toEqual([1]);
});

test.each([
  ['npm 11', "'signpost'"],
  ['npm 10', 'signpost'],
  ['the MCP server', 'signpost-mcp'],
])("under npx, stops when npx's shell ends: %s", async (_what, npm_lifecycle_script) => {
  const { host } = fakeHost({ npm_lifecycle_event: 'npx', npm_lifecycle_script });
  const stopped = stopSignal(host);
  jest.advanceTimersByTime(5_000);
  expect(await isSettled(stopped)).toBe(false);

  host.ppid = 1;
  jest.advanceTimersByTime(5_000);
  await stopped;
});

test.each([
  ['no npm', {}],
  ['a script of package.json', { npm_lifecycle_event: 'start', npm_lifecycle_script: 'signpost &' }],
  ['a program that npx runs', { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'pm2 start signpost' }],
])('keeps running when the parent process ends if npx does not run this command: %s', async (_what, env) => {
  const { host } = fakeHost(env);
  const stopped = stopSignal(host);
  host.ppid = 1;
  jest.advanceTimersByTime(60_000);
  expect(await isSettled(stopped)).toBe(false);
});
