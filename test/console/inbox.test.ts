import { Secret, TOTP } from 'otpauth';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { OPERATORS_PASSWORD, PASSWORD } from '../fixtures/console-steps.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { type MailServer, startMailServer } from '../fixtures/mail-server.js';

const HOUR_MS = 3_600_000;
const OPERATOR = 'ops@example.org';
const CONTACT = 'https://example.org/help';

let app: ConsoleApp;
let mail: MailServer;
let operator: ConsoleClient;

beforeAll(async () => {
  mail = await startMailServer();
  app = await startConsoleApp({
    SIGNPOST_SIGNUP: 'closed',
    SIGNPOST_CONTACT: CONTACT,
    SIGNPOST_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SIGNPOST_MAIL_FROM: 'Signpost <signpost@example.org>',
    SIGNPOST_ACCESS_LOG: 'on',
  });
  const first = await signInFirstOperator(app);
  // An operator who can receive mail.
  const made = await first.submit('/operator/accounts', { email: OPERATOR, name: '', operator: 'yes' });
  const link = linkIn(await made.text());
  operator = new ConsoleClient(app.url);
  await operator.submit(link, { password: OPERATORS_PASSWORD });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const linkIn = (text: string) => /\/link\/[\w-]{43}/u.exec(text)?.[0] ?? '';
const stranger = () => new ConsoleClient(app.url);
const textOf = async (answer: Response) =>
  (await answer.text()).replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ');
const inbox = async () => (await operator.get('/operator/inbox')).text();
const requestIn = (html: string) => /\/operator\/inbox\/(req_\w+)\/approve/u.exec(html)?.[1] ?? '';
const decide = async (act: 'approve' | 'refuse', fields: Readonly<Record<string, string>> = {}) =>
  operator.submit('/operator/inbox', fields, `/operator/inbox/${requestIn(await inbox())}/${act}`);

/** Requests an account, approves it, and chooses its password. Returns the client, the link, and the last response. */
async function newcomer(email: string) {
  const client = stranger();
  await client.submit('/request-access', { email, name: 'Ada', reason: '' });
  const approved = await decide('approve');
  const link = linkIn(await approved.text());
  const answer = await client.submit(link, { password: PASSWORD });
  return { client, link, answer };
}

test('a new operator receives the link to their account by mail', async () => {
  expect(await mail.mail('You have an account at Signpost')).toMatchObject({
    to: OPERATOR,
    text: expect.stringMatching(/http:\/\/127\.0\.0\.1:\d+\/link\/[\w-]{43}\n/u),
  });
});

test('while sign-up is closed, the pages for sign-up and sign-in link to the form that asks for an account', async () => {
  for (const path of ['/signup', '/signin'])
    expect([path, await (await stranger().get(path)).text()]).toEqual([
      path,
      expect.stringContaining('href="/request-access"'),
    ]);
});

test('the operator gets mail about a request for an account, which is shown and counted until it is decided', async () => {
  const wanted = { email: 'eve@example.org', name: 'Eve', reason: 'A <b>map</b>' };
  const sent = await stranger().submit('/request-access', wanted);
  expect(sent.headers.get('location')).toBe('/request-access?done=sent');
  expect(await mail.mail('eve@example.org asks for an account')).toMatchObject({
    to: OPERATOR,
    text: expect.stringContaining('/operator/inbox'),
  });
  const shown = await inbox();
  expect(shown).toContain('A &lt;b>map&lt;/b>');
  expect(shown).toMatch(/<span class="waiting-count">/u);
  expect(await (await decide('approve')).text()).not.toContain('waiting-count');
  expect(await inbox()).toContain('Nothing waits for you.');
});

test('the link of an approved account is mailed, and works until a password is chosen with it', async () => {
  const bob = stranger();
  await bob.submit('/request-access', { email: 'bob@example.org', name: '', reason: '' });
  const link = linkIn(await (await decide('approve')).text());
  expect(await mail.mail(link)).toMatchObject({ to: 'bob@example.org' });
  expect((await bob.submit(link, { password: 'short' })).status).toBe(400);
  const used = await bob.submit(link, { password: PASSWORD });
  expect([used.status, used.headers.get('location')]).toEqual([303, '/overview']);
  expect((await bob.get('/overview')).status).toBe(200);
  const again = await stranger().get(link);
  expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('/forgot-password')]);
});

test('the page of a link forbids caching and referrers, and the log does not contain the link', async () => {
  const { client, link } = await newcomer('log@example.org');
  const { headers } = await client.get(link);
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
  expect(app.log()).not.toContain(link);
  expect(app.log()).toContain('"path":"/link/:token"');
});

test('a forgotten password gets the same response for known and unknown accounts; the approved link changes the password', async () => {
  const { client } = await newcomer('ada@example.org');
  const answers = [];
  for (const email of ['ada@example.org', 'nobody@example.org']) {
    const asked = await stranger().submit('/forgot-password', { email });
    const page = await stranger().get(asked.headers.get('location') ?? '');
    answers.push([asked.status, asked.headers.get('location'), await textOf(page)]);
  }
  expect(answers[0]).toEqual(answers[1]);
  await mail.mail('ada@example.org has forgotten the password');
  expect((await inbox()).match(/class="card inbox-request"/gu)).toHaveLength(1);
  const link = linkIn(await (await decide('approve')).text());
  expect((await client.get('/overview')).status).toBe(200);
  const next = 'another of my passwords';
  expect((await stranger().submit(link, { password: next })).status).toBe(303);
  expect((await client.get('/overview')).status).toBe(303);
  expect((await stranger().signIn('ada@example.org', PASSWORD)).status).toBe(401);
  expect((await stranger().signIn('ada@example.org', next)).status).toBe(303);
});

test('after a password link, an account with a second factor still needs a code', async () => {
  const { client } = await newcomer('factor@example.org');
  const page = await (await client.get('/account/second-factor')).text();
  const secret = Secret.fromBase32(/id="second-factor-secret"[^>]*>([A-Z2-7]{32})</u.exec(page)?.[1] ?? '');
  const code = new TOTP({ secret }).generate({ timestamp: app.now() });
  expect((await client.submit('/account/second-factor', { code })).status).toBe(200);
  const lost = stranger();
  await lost.submit('/forgot-password', { email: 'factor@example.org' });
  const link = linkIn(await (await decide('approve')).text());
  const answer = await lost.submit(link, { password: 'another of my passwords' });
  expect(answer.headers.get('location')).toBe('/signin/code?next=%2Foverview');
  expect((await lost.get('/overview')).status).toBe(303);
});

describe('higher limits of a key', () => {
  const EMAIL = 'limits@example.org';
  let client: ConsoleClient;
  let key: string;
  let form: string;

  beforeAll(async () => {
    ({ client } = await newcomer(EMAIL));
    await client.submit('/overview', { name: 'Map' }, '/projects');
    const overview = await (await client.get('/overview')).text();
    const keys = /href="(\/projects\/[^"]+\/keys)"/u.exec(overview)?.[1] ?? '';
    const made = await (await client.submit('/overview', {}, keys)).text();
    form = /href="(\/higher-limits\?key=\d+)"/u.exec(made)?.[1] ?? '';
    key = form.split('=')[1] ?? '';
  });

  const ask = (perMinute: string, perDay: string, reason = '', asker = client) =>
    asker.submit('/higher-limits', { key, perMinute, perDay, reason });

  test('the form for higher limits is filled in with the daily limit of the key, and shows an error at an invalid field', async () => {
    expect(await (await client.get(form)).text()).toMatch(/name="perDay"[^>]*value="20"/u);
    const wrong = await ask('lots', '5000');
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('perMinute-problem')]);
  });

  test('the operator gets mail about a request for higher limits, finds it by its reason, and sees what it changes', async () => {
    expect((await ask('600', '5000', 'A clinic')).status).toBe(303);
    await mail.mail(`${EMAIL} asks for higher limits`);
    const waiting = await (await operator.get('/operator/inbox?kind=limits&text=a%20clinic')).text();
    expect(waiting).toMatch(/name="perDay"[^>]*value="5000"/u);
    expect(waiting.replaceAll(/<[^>]+>/gu, '')).toMatch(
      /As asked, Ada’s key goes from \d+ to 600 a minute and goes from 20 to 5,000 a day. No request in the last 30 days/u,
    );
    expect(waiting).toContain(`Refuse<span class="visually-hidden"> what ${EMAIL} asks for</span>`);
    expect(await (await operator.get('/operator/inbox?text=no%20such')).text()).toContain(
      'No request matches',
    );
  });

  test('the operator can approve other limits than requested, and the requester is told', async () => {
    await ask('600', '5000');
    const wrong = await decide('approve', { perMinute: '600', perDay: 'many' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('value="many"')]);
    const set = await decide('approve', { perMinute: '600', perDay: '4000' });
    expect(set.headers.get('location')).toMatch(/done=limits-raised&which=sp_live_/u);
    await mail.mail('600 per minute, 4,000 per day for the key sp_live_');
    expect(await textOf(await client.get(`/keys/${key}`))).toContain('600 per minute, 4,000 per day');
    expect(await textOf(await client.get('/higher-limits'))).toContain('approved');
  });

  test('the requester of refused limits is told the reason, which also stays in the inbox', async () => {
    await ask('900', '9000');
    await decide('refuse', { answer: 'Not this year.' });
    expect(await mail.mail('Not this year.')).toMatchObject({ to: EMAIL });
    expect(await textOf(await client.get('/higher-limits'))).toContain('Not this year.');
    const decided = await textOf(await operator.get('/operator/inbox?state=decided&kind=limits'));
    expect(decided).toMatch(/900 per minute, 9,000 per day for sp_live_\w+… refused Not this year\./u);
  });

  test('if the operator approves lower limits than the key has, page and mail say that they are lowered', async () => {
    await ask('700', '4500');
    await decide('approve', { perMinute: '700', perDay: '4500' });
    await ask('900', '9000');
    const lowered = await decide('approve', { perMinute: '60', perDay: '400' });
    const page = await operator.get(lowered.headers.get('location') ?? '');
    expect(await textOf(page)).toMatch(/are lowered, from/u);
    expect(await mail.mail('60 per minute, 400 per day')).toMatchObject({
      subject: 'Signpost: your limits were lowered',
    });
  });

  test('an account cannot request limits for the key of another account', async () => {
    const others = await newcomer('other@example.org');
    expect((await ask('9', '9', '', others.client)).status).toBe(404);
  });
});

test('mail about used limits can be turned off, and a choice other than on and off is rejected', async () => {
  const { client } = await newcomer('alerts@example.org');
  expect(await textOf(await client.get('/account'))).toContain('a mail goes to alerts@example.org');
  await client.submit('/account', { state: 'off' }, '/account/alerts');
  expect(await textOf(await client.get('/account'))).toContain('no mail goes to alerts@example.org');
  await client.submit('/account', { state: 'on' }, '/account/alerts');
  expect((await client.submit('/account', { state: 'maybe' }, '/account/alerts')).status).toBe(400);
});

test('a network address gets 429 after 20 requests for password links in an hour, even with different e-mails', async () => {
  app.pass(HOUR_MS);
  const statuses = [];
  for (let time = 0; time < 21; time += 1) {
    const answer = await stranger().submit('/forgot-password', { email: `nobody${time}@example.org` });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array<number>(20).fill(303), 429]);
  app.pass(HOUR_MS);
});

test('six pages for strangers have the configured contact, and so does the inbox', async () => {
  for (const path of ['/', '/signin', '/signup', '/request-access', '/forgot-password', '/link/none'])
    expect([path, await (await stranger().get(path)).text()]).toEqual([
      path,
      expect.stringContaining(`<a href="${CONTACT}">`),
    ]);
  expect(await (await operator.get('/operator/inbox')).text()).toContain(CONTACT);
});

test('if an invitation is lost, an operator can make another link, and the lost one no longer works', async () => {
  const made = await operator.submit('/operator/accounts', { email: 'new@example.org', name: '' });
  const html = await made.text();
  const path = /\/operator\/accounts\/acc_\w+/u.exec(html)?.[0] ?? '';
  const asked = await (await operator.get(`${path}/password-link`)).text();
  expect(asked).toContain('Make a link for new@example.org?');
  const other = linkIn(await (await operator.submit(`${path}/password-link`, {})).text());
  expect((await stranger().get(linkIn(html))).status).toBe(410);
  expect(await textOf(await stranger().get(other))).toContain('Welcome to Signpost');
});

test('a person on the way to another site can request API access; the approval grants it and tells the person', async () => {
  const email = 'tokens@example.org';
  const site = 'https://clinic.example/signed-in';
  await operator.submit('/operator/return-urls', { name: 'Clinic', url: site });
  const { client } = await newcomer(email);
  const question = `/apilogin?${new URLSearchParams({ returnUrl: site })}`;
  expect(await textOf(await client.get(question))).toContain('Ask for API access');
  const asked = await client.submit(question, { returnUrl: site }, '/apikeys/ask');
  expect(asked.headers.get('Location')).toBe(question);
  expect(await textOf(await client.get(question))).toContain('The operator has your request of');
  expect(await mail.mail(`${email} asks for API access`)).toMatchObject({ to: OPERATOR });
  const approved = await decide('approve');
  expect(approved.headers.get('Location')).toBe('/operator/inbox?done=api-access');
  expect(await mail.mail('Your tokens are at')).toMatchObject({ to: email });
  expect(await textOf(await client.get(question))).toContain('Continue to Clinic');
});

test('turning API access on at the operators’ page of an account also settles the request for it', async () => {
  const { client } = await newcomer('early@example.org');
  await client.submit('/apikeys', {}, '/apikeys/ask');
  const page = /\/operator\/accounts\/acc_\w+/u.exec(await inbox())?.[0] ?? '';
  await operator.submit(page, { state: 'on' }, `${page}/api-access`);
  expect(await inbox()).toContain('Nothing waits for you.');
  expect(await textOf(await client.get('/apikeys'))).toContain('Access token');
});
