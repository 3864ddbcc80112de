import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MailServer, startMailServer } from '../../../test/fixtures/mail-server.js';
import { makeCertificate } from '../../../test/fixtures/storage/certificates.js';
import { waitUntil } from '../../../test/fixtures/wait-until.js';
import { createLogger } from '../platform/log.js';
import { openMailer } from './mailer.js';
import { createNotifications } from './notifications.js';

const PASSWORD = 'p@ss%word';
const FROM = 'Signpost <signpost@example.org>';
const MAIL = { to: 'ada@example.org', subject: 'Ünïcode 🗺️', text: 'Grüße\nfrom a mail' };

let folder: string;
let server: MailServer | undefined;
let lines: string;

beforeEach(async () => {
  [lines, server] = ['', undefined];
  folder = await mkdtemp(join(tmpdir(), 'signpost-mail-'));
});
afterEach(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

const log = createLogger('debug', { write: (line: string) => (lines += line) });
const open = (url: string, ca?: string) =>
  openMailer({
    url: new URL(url),
    from: FROM,
    log,
    outbound: { proxy: undefined, ca: ca === undefined ? undefined : [ca] },
  });
const urlOf = (scheme: string, { port }: MailServer, user = '') => `${scheme}://${user}127.0.0.1:${port}`;
const withPassword = `me:${encodeURIComponent(PASSWORD)}@`;

async function certificate() {
  const { cert, key } = await makeCertificate(folder, 'mail', { subject: 'localhost', host: 'localhost' });
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
}

test('sends mails in order from the configured sender, and none after the mailer was closed', async () => {
  server = await startMailServer();
  const mailer = await open(urlOf('smtp', server));
  for (const text of ['one', 'two', 'three']) mailer.send({ ...MAIL, text });
  expect(await server.mail('three')).toMatchObject({ from: FROM, to: 'ada@example.org', text: 'three\n' });
  expect(server.mails.map(({ text }) => text.trim())).toEqual(['one', 'two', 'three']);
  await mailer.close();
  mailer.send(MAIL);
  expect(lines).toContain('A mail was not sent, as the server stopped.');
  expect(server.mails).toHaveLength(3);
});

test('smtps uses TLS from the first byte, sends the password of the URL, and requires a trusted certificate', async () => {
  const { cert, key } = await certificate();
  const seen: string[] = [];
  server = await startMailServer({
    secure: true,
    cert,
    key,
    authOptional: false,
    onAuth: ({ username = '', password = '' }, _session, done) => {
      seen.push(`${username} ${password}`);
      done(null, { user: username });
    },
  });
  const url = `smtps://${withPassword}localhost:${server.port}`;
  const distrusting = await open(url);
  distrusting.send(MAIL);
  await waitUntil('the failure is in the log', () => lines.includes('A mail was not sent'));
  expect(seen).toEqual([]);
  const mailer = await open(url, cert);
  mailer.send(MAIL);
  expect(await server.mail('from a mail')).toMatchObject({ isEncrypted: true, text: 'Grüße\nfrom a mail\n' });
  expect(seen).toEqual([`me ${PASSWORD}`]);
  await Promise.all([mailer.close(), distrusting.close()]);
});

test('logs that a mail could not be sent, without the password, the address or the text', async () => {
  server = await startMailServer({
    authOptional: false,
    onAuth: (_auth, _session, done) => done(new Error(`Not ${PASSWORD} of me`)),
  });
  const mailer = await open(urlOf('smtp', server, withPassword));
  mailer.send({ ...MAIL, subject: 'Signpost: a request is waiting for you' });
  await waitUntil('the failure is in the log', () => lines.includes('A mail was not sent'));
  expect(lines).toContain('SIGNPOST_SMTP_URL');
  expect(lines).not.toMatch(/p@ss|ada@|Grüße|me:/u);
  await mailer.close();
});

test('if the mail server is down, queues at most 200 mails, and counts every mail as unsent', async () => {
  const gone = await startMailServer();
  await gone.close();
  const mailer = await open(urlOf('smtp', gone));
  for (let count = 0; count < 201; count += 1) mailer.send(MAIL);
  expect(lines).toContain('as too many wait');
  await mailer.idle();
  expect(mailer.unsent()).toBe(201);
  await mailer.close();
  expect(lines.match(/SIGNPOST_SMTP_URL/gu)?.length).toBeGreaterThan(0);
});

test('mails end with the address of the server that sent them, and the contact for questions', () => {
  const sent: string[] = [];
  const notifications = createNotifications({
    mailer: {
      isOn: true,
      unsent: () => 0,
      idle: () => Promise.resolve(),
      send: ({ to, subject, text }) => sent.push([to, subject, text].join('|')),
      close: () => Promise.resolve(),
    },
    publicUrl: () => 'https://signpost.example',
    contact: 'ops@example.org',
  });
  const alert = { accountId: 'acc_ada', email: 'ada@example.org', used: 16, limit: 20, percent: 80 };
  notifications.requestReceived(['ops@example.org', 'two@example.org'], 'limits', 'ada@example.org');
  notifications.link('ada@example.org', { url: 'https://signpost.example/link/x', kind: 'reset' });
  notifications.limitsSet('ada@example.org', 'raised', '600 per minute');
  notifications.requestRefused('ada@example.org', 'Not now.');
  notifications.limits('ada@example.org', [
    { ...alert, keyPrefix: 'sp_live_a' },
    { ...alert, keyPrefix: null, percent: 100 },
  ]);
  expect(sent).toHaveLength(6);
  for (const mail of sent)
    expect(mail).toMatch(/Signpost at https:\/\/signpost\.example\nQuestions: ops@example\.org\n$/u);
  expect(sent.at(-1)).toContain(
    'Key sp_live_a is close to its limit: 16 of 20 requests are used. The day ends at midnight UTC.\n\n' +
      'The account as a whole has no requests left today',
  );
});
