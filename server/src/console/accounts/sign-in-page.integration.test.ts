import { jest } from '@jest/globals';
import { Command } from 'commander';

const argon2 = await import('@node-rs/argon2');
/** What happens between the check of a password and the session, once. */
let meanwhile: (() => Promise<unknown>) | undefined;

jest.unstable_mockModule('@node-rs/argon2', () => ({
  ...argon2,
  verify: async (hash: string, password: string) => {
    const isRight = await argon2.verify(hash, password);
    const act = meanwhile;
    meanwhile = undefined;
    await act?.();
    return isRight;
  },
}));

const { commandLine } = await import('../../../../test/fixtures/command-line.js');
const { startConsoleApp } = await import('../../../../test/fixtures/console-app.js');
const { ConsoleClient } = await import('../../../../test/fixtures/console-client.js');

const PASSWORD = 'a long enough password';
const EMAIL = 'ada@example.org';
let app: Awaited<ReturnType<typeof startConsoleApp>>;
let cli: ReturnType<typeof commandLine>;

beforeAll(async () => {
  app = await startConsoleApp();
  cli = commandLine(app.dataDir, () => new Command('signpost'));
});
afterAll(() => app.close());

test('whoever has just proved a password that is replaced before the session begins is not signed in', async () => {
  await new ConsoleClient(app.url).submit('/signup', { email: EMAIL, name: '', password: PASSWORD });
  const late = new ConsoleClient(app.url);
  meanwhile = () => cli.json('account', 'set-password', '--email', EMAIL);
  const refused = await late.signIn(EMAIL, PASSWORD);
  expect(meanwhile).toBeUndefined();
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('was changed meanwhile. Sign in again.');
  expect(late.cookies.has('signpost')).toBe(false);
  expect((await late.get('/overview')).status).toBe(303);
});
