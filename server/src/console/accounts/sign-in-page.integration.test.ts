import argon2 from '@node-rs/argon2';
import { Command } from 'commander';
import { commandLine } from '../../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';

/** If set, runs once, after the next password check and before the session starts. */
let meanwhile: (() => Promise<unknown>) | undefined;

const verify = argon2.verify;
jest.spyOn(argon2, 'verify').mockImplementation(async (hash, password) => {
  const isRight = await verify(hash, password);
  const act = meanwhile;
  meanwhile = undefined;
  await act?.();
  return isRight;
});

const PASSWORD = 'a long enough password';
const EMAIL = 'ada@example.org';
let app: ConsoleApp;
let cli: ReturnType<typeof commandLine>;

beforeAll(async () => {
  app = await startConsoleApp();
  cli = commandLine(app.dataDir, () => new Command('signpost'));
});
afterAll(() => app.close());

test('a password that is replaced between its check and the start of the session does not sign in', async () => {
  await new ConsoleClient(app.url).submit('/signup', { email: EMAIL, name: '', password: PASSWORD });
  const late = new ConsoleClient(app.url);
  meanwhile = () => cli.json('account', 'set-password', '--email', EMAIL);
  const refused = await late.signIn(EMAIL, PASSWORD);
  expect(meanwhile).toBeUndefined();
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('has just been changed. Sign in again.');
  expect(late.cookies.has('signpost')).toBe(false);
  expect((await late.get('/overview')).status).toBe(303);
});
