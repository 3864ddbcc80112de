import { tokenPair, usageStatistics } from '@signpost/contract';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { recordFault } from './support/fault-table.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PER_MINUTE = 5;
const PER_DAY = 20;
const AT_ONCE = 8;

let app: ConsoleApp;

beforeEach(async () => {
  app = await startConsoleApp({
    SIGNPOST_RATE_PER_MINUTE: String(PER_MINUTE),
    SIGNPOST_RATE_PER_DAY: String(PER_DAY),
  });
});
afterEach(() => app.close());

const headers = () => ({ 'X-Api-Key': app.first.key, 'Content-Type': 'application/json' });
const lookUp = () =>
  fetch(`${app.url}/api/postcode/lookup`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ postcode: 'SW1A 1AA' }),
  });

/** Moves the clock into the first half of the current minute, so that the following requests fall into that minute. */
function stayInMinute(): void {
  const inMinuteMs = app.now() % MINUTE_MS;
  if (inMinuteMs > MINUTE_MS / 2) app.pass(-MINUTE_MS / 2);
}

/** How many requests each minute and day of the calendar has admitted, in whichever order they came. */
class Ledger {
  readonly #minutes = new Map<number, number>();
  readonly #days = new Map<number, number>();

  /** How many of these requests must be admitted at this time. Counts them. */
  grant(wanted: number, nowMs: number): number {
    const [minute, day] = [Math.floor(nowMs / MINUTE_MS), Math.floor(nowMs / DAY_MS)];
    const [ofMinute, ofDay] = [this.#minutes.get(minute) ?? 0, this.#days.get(day) ?? 0];
    const granted = Math.min(wanted, PER_MINUTE - ofMinute, PER_DAY - ofDay);
    this.#minutes.set(minute, ofMinute + granted);
    this.#days.set(day, ofDay + granted);
    return granted;
  }

  get total(): number {
    return [...this.#days.values()].reduce((sum, granted) => sum + granted, 0);
  }

  get perDay(): readonly number[] {
    return [...this.#days.values()];
  }
}

/**
 * Starts at ten in the morning: jumps of an hour, a day and past midnight, there and back, with small steps in between.
 */
const JUMPS: readonly (readonly [what: string, ms: number])[] = [
  ['at ten', 0],
  ['an hour on', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['the next minute but one', 2 * MINUTE_MS],
  ['an hour on', HOUR_MS],
  ['the next minute but one', 2 * MINUTE_MS],
  ['a day on', DAY_MS],
  ['a day back', -DAY_MS],
  ['the next minute but one', 2 * MINUTE_MS],
  ['a day back', -DAY_MS],
  ['a day on', DAY_MS],
  ['over midnight', 13 * HOUR_MS],
  ['back over midnight', -13 * HOUR_MS],
  ['over midnight', 13 * HOUR_MS],
  ['the next minute but one', 2 * MINUTE_MS],
  ['an hour on', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['two hours back over midnight', -2 * HOUR_MS],
  ['a day on', DAY_MS],
  ['a day on', DAY_MS],
  ['three days back', -3 * DAY_MS],
];

test('if the clock jumps by minutes, hours or days, every minute and day of the calendar admits its quota once', async () => {
  app.pass(34 * HOUR_MS - (app.now() % DAY_MS) + 5_000);
  const ledger = new Ledger();
  const outcomes: { what: string; granted: number; expected: number }[] = [];
  for (const [what, ms] of JUMPS) {
    app.pass(ms);
    stayInMinute();
    const expected = ledger.grant(AT_ONCE, app.now());
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, lookUp));
    const granted = answers.filter(({ status }) => status === 200).length;
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(AT_ONCE - granted);
    outcomes.push({ what, granted, expected });
  }
  // This is the first request of a new day.
  app.pass(10 * DAY_MS);
  const usage = usageStatistics.parse(
    await (await fetch(`${app.url}/api/usage`, { headers: headers() })).json(),
  );

  const granted = outcomes.reduce((sum, outcome) => sum + outcome.granted, 0);
  await recordFault({
    fault: `${JUMPS.length} clock jumps: an hour, a day and over midnight, forward and back`,
    expected: 'no quota granted twice and none lost, no count lost',
    figure:
      `${granted} of ${JUMPS.length * AT_ONCE} requests granted, ${ledger.total} owed, ` +
      `${usage.totalRequests - 1} counted; owed per day ${ledger.perDay.join(', ')} of ${PER_DAY}`,
  });
  expect(outcomes).toEqual(outcomes.map((outcome) => ({ ...outcome, granted: outcome.expected })));
  expect(usage.totalRequests).toBe(ledger.total + 1);
  expect(Math.max(...ledger.perDay)).toBe(PER_DAY);
});

test('an access token expires by a clock that jumps, and sessions and refresh tokens survive', async () => {
  const person = new ConsoleClient(app.url);
  expect((await person.signIn(app.first.email, app.first.password)).status).toBe(303);
  await person.submit('/password', {
    current: app.first.password,
    next: 'another long password',
  });
  const page = async () => (await person.get('/apikeys')).text();
  const refreshToken = /id="refresh-token"[^>]*>([^<]+)</u.exec(await page())?.[1] ?? '';
  const refresh = () =>
    fetch(`${app.url}/api/token/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
  const { access_token: accessToken } = tokenPair.parse(await (await refresh()).json());
  const statuses = async () => {
    const status = await fetch(`${app.url}/api/token/status`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    return [status.status, (await refresh()).status, (await person.get('/overview')).status];
  };

  const seen: Record<string, readonly number[]> = { 'at first': await statuses() };
  for (const [what, ms] of [
    ['an hour on', HOUR_MS],
    ['an hour back', -HOUR_MS],
    ['a day on', DAY_MS],
    ['a day back', -DAY_MS],
    ['another day back', -DAY_MS],
  ] as const) {
    app.pass(ms);
    seen[what] = await statuses();
  }
  const inWords = Object.entries(seen).map(([what, [token]]) => `${what} ${token}`);
  await recordFault({
    fault: 'clock jumps of an hour and a day under an access token of 180 minutes',
    expected:
      'it ends by the clock, is valid again when the clock is set back, and is rejected before its issue; sessions and refresh tokens go on',
    figure: `token status: ${inWords.join(', ')}`,
  });
  expect(seen).toEqual({
    'at first': [200, 200, 200],
    'an hour on': [200, 200, 200],
    'an hour back': [200, 200, 200],
    'a day on': [401, 200, 200],
    'a day back': [200, 200, 200],
    // The token was issued a day from now by this clock.
    'another day back': [401, 200, 200],
  });
});
