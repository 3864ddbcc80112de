import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_BROWSER, runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-terminal-'))));
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

test('in help, descriptions of commands begin in lower case or with an abbreviation, and have no full stop', async () => {
  for (const words of [['--help'], ['account', '--help'], ['key', '--help'], ['secret', '--help']]) {
    const { stdout } = await runSignpost(folder, words);
    const commands = /^Commands:\n((?: {2}.*\n)+)/mu.exec(stdout)?.[1] ?? '';
    const descriptions = [...commands.matchAll(/^ {2}\S.*? {2,}(\S.*)$/gmu)].map(([, text]) => text);
    expect(descriptions.length).toBeGreaterThan(1);
    for (const text of descriptions) expect(text).toMatch(/^(?:[a-z]|[A-Z]{2})/u);
    expect(commands).not.toMatch(/\.$/mu);
  }
});

test.each([
  [['nonsense'], 2],
  [['account', 'lits'], 2],
  [['key', 'list'], 2],
  [['account', 'list'], 1],
])('if a command fails, its error begins with the name of the program: %j', async (words, code) => {
  const result = await runSignpost(join(folder, 'none'), words);
  expect(result.code).toBe(code);
  expect(result.stderr).toMatch(/^signpost: /u);
});

test('SIGHUP does not stop the server; with the log format text, server and commands log lines of text', async () => {
  const server = await startSignpost({
    ...NO_BROWSER,
    SIGNPOST_LOG_FORMAT: 'text',
    SIGNPOST_SMTP_URL: 'smtp://127.0.0.1:1',
    SIGNPOST_MAIL_FROM: 'signpost@example.org',
  });
  try {
    server.process.kill('SIGHUP');
    await waitUntil('the log has a line', () => server.output().includes('SIGHUP'));
    expect(server.output()).toMatch(
      /^\d\d:\d\d:\d\d INFO {2}SIGHUP is ignored\. SIGTERM stops the server\.$/mu,
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const { stdout, stderr } = await server.run('account', 'invite', '--email', 'ada@example.org');
    expect(stdout).toContain('pass it on yourself');
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d ERROR A mail was not sent\./u);
  } finally {
    await server.remove();
  }
});
