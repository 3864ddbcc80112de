import { NO_BROWSER, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { recordFault } from './support/fault-table.js';
import { median } from './support/process-figures.js';
import { openSignIn, type SignInCaller } from './support/sign-in-caller.js';

const EMAIL = 'neighbour@example.org';
const PASSWORD = 'correct horse battery staple';
const CONNECTIONS = 130;
const SIGN_INS = 10;
const NEIGHBOUR_ADDRESS = '127.0.0.100';

let server: SignpostServer;
let neighbour: SignInCaller;

beforeAll(async () => {
  server = await startSignpost({ ...NO_BROWSER, SIGNPOST_SIGNUP: 'open' });
  await new ConsoleClient(server.url).submit('/signup', { email: EMAIL, name: '', password: PASSWORD });
  neighbour = await openSignIn(server.url, NEIGHBOUR_ADDRESS, 1);
});
afterAll(async () => {
  neighbour.close();
  await server.remove();
});

/** Lets the neighbour sign in ten times. Returns how many sign-ins succeed, and their median time in milliseconds. */
async function neighbourSignsIn() {
  const statuses: number[] = [];
  const timesMs: number[] = [];
  while (statuses.length < SIGN_INS) {
    const startedMs = performance.now();
    statuses.push(await neighbour.signIn(EMAIL, PASSWORD));
    timesMs.push(performance.now() - startedMs);
  }
  return { right: statuses.filter((status) => status === 303).length, medianMs: median(timesMs) };
}

/**
 * Starts to try wrong passwords from the addresses, on all connections at once. Returns a function that ends this and
 * returns the number of responses by status, in words.
 */
async function flood(addresses: readonly string[], emailOf: (nth: number) => string) {
  const perAddress = Math.ceil(CONNECTIONS / addresses.length);
  const callers = await Promise.all(addresses.map((address) => openSignIn(server.url, address, perAddress)));
  const statuses = new Map<number, number>();
  let isOver = false;
  let tried = 0;
  const tryOn = async (caller: SignInCaller) => {
    while (!isOver) {
      tried += 1;
      const status = await caller.signIn(emailOf(tried), `wrong password ${tried}`).catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const running = callers.flatMap((caller) => Array.from({ length: perAddress }, () => tryOn(caller)));
  return async () => {
    isOver = true;
    await Promise.all(running);
    for (const caller of callers) caller.close();
    return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  };
}

const own = (nth: number) => `nobody-${nth}@example.org`;
const ONE = ['127.0.0.2'];
const MANY = Array.from({ length: 26 }, (_, index) => `127.0.0.${index + 10}`);

test.each([
  ['one address', ONE, own],
  ['26 addresses', MANY, own],
  ["one address, to the neighbour's own account", ['127.0.0.3'], () => EMAIL],
] as const)(
  'during a flood of wrong passwords on 130 connections from %s, a neighbour signs in every time',
  async (from, addresses, emailOf) => {
    const quiet = await neighbourSignsIn();
    const stop = await flood(addresses, emailOf);
    const beside = await neighbourSignsIn();
    const answers = await stop();
    await recordFault({
      fault: `Wrong passwords on ${CONNECTIONS} connections from ${from}`,
      expected: `a neighbour's ${SIGN_INS} sign-ins all succeed`,
      figure: `${beside.right} of ${SIGN_INS} succeeded; median ${beside.medianMs.toFixed(0)} ms, ${quiet.medianMs.toFixed(0)} ms without; the flood got ${answers}`,
    });
    expect([quiet.right, beside.right]).toEqual([SIGN_INS, SIGN_INS]);
  },
);
