import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { storeIssuer } from '../tokens/tokens.js';
import { startConsoleApp } from '../../../test/fixtures/console-app.js';
import { commandLine } from '../../../test/fixtures/command-line.js';

const shownPair = z.strictObject({
  account: z.literal('ada@example.org'),
  accessToken: z.jwt(),
  refreshToken: z.string().regex(/^rt_\w{38}$/u),
  validTo: z.literal('2026-01-02T06:04:05.000Z'),
});
const ada = ['--account', 'ada@example.org'];

let dataDir: string;
let cli: ReturnType<typeof commandLine>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-cli-'));
  cli = commandLine(dataDir, () => new Command('signpost'));
  await cli.json('account', 'create', '--email', 'ada@example.org', '--api-access');
});

afterEach(() => rm(dataDir, { recursive: true }));

const claimsOf = (accessToken: string): unknown =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());

const pair = async (verb: 'show' | 'regenerate') => shownPair.parse(await cli.json('token', verb, ...ada));

test('show prints both tokens, with the public address as the issuer of the access token, and keeps the refresh token', async () => {
  const { accessToken, refreshToken } = await pair('show');
  expect(claimsOf(accessToken)).toMatchObject({ iss: 'https://signpost.example' });
  expect((await pair('show')).refreshToken).toBe(refreshToken);
  const { stdout } = await cli.signpost(['token', 'show', ...ada]);
  expect(stdout).toMatch(
    /^Access token {3}ey[\w.-]+\nValid to {7}2026-01-02 06:04:05Z\nRefresh token {2}rt_\w{38}\n$/u,
  );
  expect(stdout).toContain(refreshToken);
});

test("access tokens name the stored address of the last server as issuer, not that of the command's environment", async () => {
  for (const issuer of ['http://127.0.0.1:4000', 'https://elsewhere.example']) {
    const { storage } = await cli.openStorage();
    await storeIssuer(storage.db, issuer);
    await storage.close();
    for (const verb of ['show', 'regenerate'] as const)
      expect(claimsOf((await pair(verb)).accessToken)).toMatchObject({ iss: issuer });
  }
});

test('show prints an access token that names the address of the server that is running, not that of the environment', async () => {
  const app = await startConsoleApp();
  try {
    const commands = commandLine(app.dataDir, () => new Command('signpost'));
    await commands.json('account', 'create', '--email', 'ada@example.org', '--api-access');
    const { accessToken } = shownPair.parse(await commands.json('token', 'show', ...ada));
    expect(claimsOf(accessToken)).toMatchObject({ iss: app.url });
  } finally {
    await app.close();
  }
});

test('regenerate prints a new refresh token and says that the old one stopped working', async () => {
  const { refreshToken } = await pair('show');
  const regenerated = await pair('regenerate');
  expect(regenerated.refreshToken).not.toBe(refreshToken);
  expect((await pair('show')).refreshToken).toBe(regenerated.refreshToken);
  const { stdout } = await cli.signpost(['token', 'regenerate', ...ada]);
  expect(stdout).toContain('The previous refresh token is refused from now on');
});

test('token commands reject an account without API access, a disabled one or an unknown one, and say how to fix it', async () => {
  await cli.json('account', 'api-access', 'off', '--email', 'ada@example.org');
  for (const verb of ['show', 'regenerate'])
    expect(await cli.rejection('token', verb, ...ada)).toContain(
      'API access of ada@example.org is off. "signpost account api-access on --email ada@example.org" changes that.',
    );
  await cli.json('account', 'disable', '--email', 'ada@example.org');
  expect(await cli.rejection('token', 'show', ...ada)).toContain(
    'The account ada@example.org is disabled. "signpost account enable --email ada@example.org" changes that.',
  );
  expect(await cli.rejection('token', 'show', '--account', 'ada@exmaple.org')).toContain(
    'did you mean "ada@example.org"?',
  );
});

test('secret rotate keeps refresh tokens, and the next access token is signed with a new key', async () => {
  const before = await pair('show');
  const rotated = await cli.json('secret', 'rotate');
  expect(rotated).toEqual({
    signingKeyId: expect.stringMatching(/^sig_\w{20}$/u),
    oldTokensEndAt: '2026-01-02T06:04:05.000Z',
    refreshTokens: 1,
    secondFactors: 0,
  });
  const after = await pair('show');
  expect(after.refreshToken).toBe(before.refreshToken);
  const [before0, after0] = [before, after].map(({ accessToken }) => accessToken.split('.')[0]);
  expect(after0).not.toBe(before0);
  const { stdout } = await cli.signpost(['secret', 'rotate']);
  expect(stdout).toMatch(
    /^New keys made. Access tokens are signed with sig_\w+ from now on. Older ones end by 2026-01-02 06:04:05Z.\nEncrypted again \(refresh tokens: 1, second factors: 0\). They work as before.\n$/u,
  );
});
