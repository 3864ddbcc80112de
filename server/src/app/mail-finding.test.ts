import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { type MailServer, startMailServer } from '../../../test/fixtures/mail-server.js';
import { temporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { makeCertificate } from '../../../test/fixtures/storage/certificates.js';
import { readConfig } from './config.js';
import { inboxMailFinding, cachedMailFinding, mailedLinksFinding, mailFinding } from './mail-finding.js';

const PASSWORD = 'a-password-of-mail';
const FROM = 'Signpost <signpost@example.org>';

let server: MailServer | undefined;
beforeEach(() => (server = undefined));
afterEach(() => server?.close());

const mailBy = (port: number, user = '') => ({
  mail: { url: new URL(`smtp://${user}127.0.0.1:${port}`), from: FROM },
});

test('without a mail server, reports no fault and says that mail is not configured', async () => {
  expect(await mailFinding({ mail: undefined })).toMatchObject({
    state: 'works',
    message: expect.stringContaining('SIGNPOST_SMTP_URL is not set'),
  });
});

test('reports that mail works if the mail server responds, without sending mail', async () => {
  server = await startMailServer();
  expect(await mailFinding(mailBy(server.port))).toEqual({
    name: 'Mail',
    state: 'works',
    message: `sent by 127.0.0.1:${server.port}, from ${FROM}`,
  });
  expect(server.mails).toEqual([]);
});

test('reports a wrong password for the mail server without repeating it', async () => {
  server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error(`Wrong: ${PASSWORD}`)),
  });
  const finding = await mailFinding(mailBy(server.port, `me:${PASSWORD}@`));
  expect(finding).toMatchObject({
    state: 'does not work',
    message: `127.0.0.1:${server.port} does not take the user or the password`,
    advice: expect.stringContaining('SIGNPOST_SMTP_URL'),
  });
  expect(JSON.stringify(finding)).not.toContain(PASSWORD);
});

test('reports an untrusted certificate of the mail server, with the variable that adds an authority', async () => {
  const folder = await temporaryFolder();
  try {
    const names = { subject: 'localhost', host: 'localhost' };
    const { cert, key } = await makeCertificate(folder.dataDir, 'mail', names);
    server = await startMailServer({ secure: true, cert: await readFile(cert), key: await readFile(key) });
    const mail = { url: new URL(`smtps://localhost:${server.port}`), from: FROM };
    expect(await mailFinding({ mail })).toMatchObject({
      state: 'does not work',
      message: expect.stringContaining(`no encrypted connection with localhost:${server.port} (`),
      advice: expect.stringContaining('SIGNPOST_EXTRA_CA_FILE'),
    });
  } finally {
    await folder.remove();
  }
});

test('reports within the time limit that a mail server is down, speaks another protocol, or is silent', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const silent = createServer();
  for (const [listener, words, timeoutMs] of [
    [other, 'does not answer as a mail server (EPROTOCOL)', undefined],
    [silent, 'does not answer within 0.2 s', 200],
  ] as const) {
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await mailFinding(mailBy(port), timeoutMs)).toMatchObject({
      state: 'does not work',
      message: `127.0.0.1:${port} ${words}`,
    });
    await new Promise((closed) => listener.close(closed));
    expect((await mailFinding(mailBy(port))).message).toContain('(ECONNREFUSED)');
  }
});

test('if no operator has an address that mail reaches, reports it and says where to enter one', () => {
  const config = { ...mailBy(25), publicUrl: 'https://signpost.example' };
  expect(inboxMailFinding(config, ['operator@localhost'])).toMatchObject([
    {
      state: 'could be better',
      message: expect.stringContaining('dropped, because no mail reaches operator@localhost'),
      advice: expect.stringContaining('https://signpost.example/account'),
    },
  ]);
  expect(inboxMailFinding(config, ['operator@localhost', 'ops@example.org'])).toEqual([]);
  expect(inboxMailFinding({ ...config, mail: undefined }, ['operator@localhost'])).toEqual([]);
});

test('caches the finding about mail for a minute', async () => {
  server = await startMailServer();
  let nowMs = 0;
  const find = cachedMailFinding(mailBy(server.port), () => nowMs);
  expect((await find()).state).toBe('works');
  await server.close();
  server = undefined;
  nowMs = 59_999;
  expect((await find()).state).toBe('works');
  nowMs = 60_000;
  expect((await find()).state).toBe('does not work');
});

test('warns if mail is configured and its links lead to this machine only', () => {
  const mail = { SIGNPOST_SMTP_URL: 'smtp://mail.example', SIGNPOST_MAIL_FROM: FROM };
  const findings = (more: Readonly<Record<string, string>>) => mailedLinksFinding(readConfig(more));
  for (const host of ['127.0.0.1', '0.0.0.0', '::1'])
    expect(findings({ ...mail, SIGNPOST_HOST: host })).toMatchObject([
      { state: 'could be better', advice: expect.stringContaining('SIGNPOST_PUBLIC_URL') },
    ]);
  expect(findings({ ...mail, SIGNPOST_HOST: '192.0.2.1' })).toEqual([]);
  expect(findings({ ...mail, SIGNPOST_PUBLIC_URL: 'https://signpost.example' })).toEqual([]);
  expect(findings({})).toEqual([]);
});
