import { gunzipSync } from 'node:zlib';
import { editionCsv, PALACE } from '../fixtures/postcodes/editions.js';
import { startPortal } from '../fixtures/postcodes/portal.js';
import { zipFile } from '../fixtures/postcodes/zip-file.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { OPERATORS_PASSWORD, PASSWORD } from '../fixtures/console-steps.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { waitUntil } from '../fixtures/wait-until.js';

const ROWS = editionCsv('2026', [PALACE, { pcds: 'SW1A 2AA' }]);
const PATH = '/operator/directory';

let app: ConsoleApp;
let portal: Awaited<ReturnType<typeof startPortal>>;
let operator: ConsoleClient;

beforeAll(async () => {
  portal = await startPortal(zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': ROWS }));
  app = await startConsoleApp({ SIGNPOST_DIRECTORY_SEARCH_URL: portal.searchUrl });
  operator = await signInFirstOperator(app);
});
afterAll(async () => {
  await app.close();
  await portal.close();
});

const textOf = async (answer: Response | Promise<Response>) =>
  (await (await answer).text()).replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ');
const page = (path: string) => textOf(operator.get(path));

/** The text of the directory page once no import is running. */
async function afterImport(): Promise<string> {
  let text = '';
  await waitUntil('the import is over', async () => {
    text = await page(PATH);
    return !text.includes('An import is under way');
  });
  return text;
}

const look = async () =>
  (await app.post('/api/postcode/lookup', { postcode: 'SW1A 2AA' }, app.apiKey)).status;

describe('the directory', () => {
  test('an uploaded directory is imported, used, reported and recorded in the audit log', async () => {
    expect(await page(PATH)).toContain('In use: sample');
    const file = new File([editionCsv('2026', [PALACE])], 'ONSPD_MAY_2026_UK.csv');
    const answer = await operator.upload(PATH, {}, file, `${PATH}/upload`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, PATH]);
    const text = await afterImport();
    expect(text).toContain('ONSPD 2026-05 is in use now.');
    expect(text).toMatch(/In use: ONSPD 2026-05 Postcodes 1 .* Size [\d.]+ MB/u);
    expect(await page('/operator/audit?kind=directory.imported')).toMatch(
      /Postcode directory imported operator@localhost 127\.0\.0\.1 ONSPD 2026-05/u,
    );
    expect(await look()).toBe(404);
  });

  test('the newest edition is imported, its changes are shown, and importing it again does nothing', async () => {
    expect((await operator.submit(PATH, {}, `${PATH}/latest`)).headers.get('location')).toBe(PATH);
    const text = await afterImport();
    expect(text).toContain('What changed since ONSPD 2026-05 New postcodes 1 Ended 0');
    expect(text).toMatch(
      /ONS Postcode Directory \(August 2026\), 0 MB \(licence: Open Government Licence v3\.0: [^)]+\), /u,
    );
    expect(await look()).toBe(200);
    await operator.submit(PATH, {}, `${PATH}/latest`);
    expect(await afterImport()).toContain(
      'ONSPD 2026-08 is in use and is the newest edition: nothing was done.',
    );
  });

  test('a directory is imported from an address, and an ftp address is rejected with a message', async () => {
    const fields = { address: 'ftp://example.org/ONSPD.zip' };
    const refused = await operator.submit(PATH, fields, `${PATH}/address`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Give the http or https address of a zip or csv file.'),
    ]);
    await operator.submit(PATH, { address: 'http://10.0.0.1/ONSPD.zip' }, `${PATH}/address`);
    expect(await afterImport()).toMatch(/10\.0\.0\.1 was not found, or is not a public address/u);
    const address = new URL('/signed', portal.searchUrl).href;
    await operator.submit(PATH, { address, excludeNorthernIreland: 'yes' }, `${PATH}/address`);
    expect(await afterImport()).toContain(', without Northern Ireland.');
  });

  test('an uploaded file that is not a directory leaves the old directory in use, and the page says why', async () => {
    await operator.upload(PATH, {}, new File(['%PDF-1.7'], '../a.pdf'), `${PATH}/upload`);
    const text = await afterImport();
    expect(text).toContain('a.pdf is not a postcode directory (zip or csv): it is a PDF document.');
    expect(text).toContain('In use: ONSPD 2026-08');
  });

  test('an upload requires a file, the CSRF token of its form, and an operator', async () => {
    const file = new File([ROWS], 'ONSPD_AUG_2026_UK.csv');
    const body = new FormData();
    body.append('file', file);
    const cookie = Array.from(operator.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const send = (init: RequestInit) =>
      fetch(`${app.url}${PATH}/upload`, { method: 'POST', redirect: 'manual', headers: { cookie }, ...init });
    expect((await send({ body })).status).toBe(403);
    const plain = await operator.submit(PATH, {}, `${PATH}/upload`);
    const withoutFile = new FormData();
    withoutFile.append('_csrf', await operator.tokenOf(PATH));
    for (const response of [plain, await send({ body: withoutFile })])
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('Choose a file'),
      ]);

    const other = new ConsoleClient(app.url);
    await other.submit('/signup', { email: 'nosy@example.org', name: '', password: PASSWORD });
    expect((await other.upload('/overview', {}, file, `${PATH}/upload`)).status).toBe(404);
  });
});

describe('maintenance', () => {
  const MAINTENANCE = '/operator/maintenance';

  test('opening or closing sign-up takes effect from the next page on', async () => {
    const stranger = new ConsoleClient(app.url);
    expect(await page(MAINTENANCE)).toContain('Open: anyone who can reach this server');
    const choose = (state: string) => operator.submit(MAINTENANCE, { state }, `${MAINTENANCE}/sign-up`);
    expect((await choose('closed')).headers.get('location')).toBe(`${MAINTENANCE}?done=sign-up-closed`);
    expect((await stranger.get('/signup')).status).toBe(403);
    expect(await textOf(stranger.get('/'))).not.toContain('Create an account');
    await choose('open');
    expect((await stranger.get('/signup')).status).toBe(200);
    expect((await choose('ajar')).status).toBe(400);
    expect(await page('/operator/audit?kind=sign-up.closed')).toContain('Sign-up closed operator@localhost');
  });

  test('SIGNPOST_SIGNUP replaces the choice on the maintenance page, which says so', async () => {
    const configured = await startConsoleApp({ SIGNPOST_SIGNUP: 'closed' });
    try {
      const client = await signInFirstOperator(configured);
      const text = await textOf(client.get(MAINTENANCE));
      expect(text).toContain('SIGNPOST_SIGNUP decides this.');
      expect(text).not.toContain('Open sign-up');
      const refused = await client.submit('/account', { state: 'open' }, `${MAINTENANCE}/sign-up`);
      expect([refused.status, await textOf(refused)]).toEqual([
        400,
        expect.stringContaining('SIGNPOST_SIGNUP decides whether sign-up is open.'),
      ]);
    } finally {
      await configured.close();
    }
  });

  test('a backup can be downloaded only with the password, is complete, and is in the audit log with its operator', async () => {
    const path = `${MAINTENANCE}/backup`;
    expect(await (await operator.get(path)).text()).toMatch(/: keep (?:a copy of \/|what SIGNPOST_SECRET)/u);
    const refused = await operator.submit(path, { current: 'wrong' });
    expect([refused.status, await refused.text()]).toEqual([
      401,
      expect.stringContaining('The current password is wrong.'),
    ]);
    const answer = await operator.submit(path, { current: OPERATORS_PASSWORD });
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="signpost-\d{4}-\d\d-\d\dT\d{6}Z\.backup"$/u,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const content = Buffer.from(await answer.arrayBuffer());
    expect(content).toHaveLength(Number(answer.headers.get('content-length')));
    expect(gunzipSync(content).toString()).toMatch(/^\{"format":"signpost-backup"/u);
    expect(await page('/operator/audit?kind=backup.made')).toMatch(
      /Backup made operator@localhost 127\.0\.0\.1 signpost-\S+\.backup \(downloaded\)/u,
    );
    expect(await page(MAINTENANCE)).toContain('The last one was made on');
  });

  test('rotating the keys requires the password; tokens stay valid, and the old signing keys stay published beside the new one', async () => {
    const [token = ''] =
      /ey[\w-]+\.[\w-]+\.[\w-]+/u.exec(await (await operator.get('/apikeys')).text()) ?? [];
    const headers = { Authorization: `Bearer ${token}` };
    const statusOfToken = async () => (await fetch(`${app.url}/api/token/status`, { headers })).status;
    expect(await statusOfToken()).toBe(200);
    const path = `${MAINTENANCE}/rotate-keys`;
    const kids = async () => {
      const answer = await (await fetch(`${app.url}/.well-known/jwks.json`)).text();
      return [...answer.matchAll(/sig_\w+/gu)].map(([kid]) => kid);
    };
    const before = await kids();
    expect((await operator.submit(path, { current: 'wrong' })).status).toBe(401);
    expect(await kids()).toEqual(before);
    const answer = await operator.submit(path, { current: OPERATORS_PASSWORD });
    expect(answer.headers.get('location')).toBe(`${MAINTENANCE}?done=rotated`);
    expect(await statusOfToken()).toBe(200);
    expect(await kids()).toEqual(expect.arrayContaining(before));
    expect(await kids()).toHaveLength(before.length + 1);
    const text = await page(`${MAINTENANCE}?done=rotated`);
    expect(text).toMatch(/Signs sig_\w+ since .* Verifies sig_\w+ until/u);
    expect(await page('/operator/audit?kind=secret.rotated')).toContain('operator@localhost');
  });
});

test('the health page shows seven checks, and that no capture is under way or waiting', async () => {
  const text = await page('/operator/health');
  for (const name of [
    'Data folder',
    'Disk',
    'Database and secret',
    'Browser',
    'Sign-up',
    'Trusted proxies',
    'Mail',
  ])
    expect(text).toContain(`${name} :`);
  expect(text).toContain('the database can be written');
  expect(text).toContain('No capture is under way, and none waits.');
});

const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

test('the audit log can be filtered by days', async () => {
  await operator.submit('/overview', { name: 'Map' }, '/projects');
  const today = dayOf(app.now());
  expect(await page(`/operator/audit?from=${today}&to=${today}`)).toContain('Project made');
  expect(await page('/operator/audit?to=2020-01-01')).toContain('No entries match.');
});

test('the audit entries that match a filter can be exported, but only by a form with its CSRF token', async () => {
  await operator.submit('/overview', { name: 'Map' }, '/projects');
  const today = dayOf(app.now());
  const filter = { kind: 'project.created', account: '', from: today, to: 'no day' };
  const answer = await operator.submit('/operator/audit', filter, '/operator/audit/export');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="signpost-audit-${today}.csv"`,
  );
  const [headings, first = '', ...others] = (await answer.text()).trimEnd().split('\r\n');
  expect(headings).toMatch(/^time,kind,what,by,/u);
  expect(first).toMatch(/,project\.created,Project made,operator@localhost,acc_\w+,console,127\.0\.0\.1,/u);
  expect(others).toEqual([]);
  expect((await operator.post('/operator/audit/export', filter)).status).toBe(403);
});
