import { join } from 'node:path';
import { openStorage } from '../../server/src/storage/open-storage.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import type { ConsoleClient } from '../fixtures/console-client.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;
let operator: ConsoleClient;
let newcomer: ConsoleClient;
let email: string;
let requestId: string;

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
  ({ visitor: newcomer, email } = await signUpNewcomer(app));
  await newcomer.submit('/overview', { name: 'Wetterkarte ☂' }, '/projects');
  requestId = (await app.get('/api/usage')).headers.get('X-Request-Id') ?? '';
});
afterAll(() => app.close());

/** Searches. Returns the HTML of the response, and the address to which it redirects; null if it does not. */
async function find(who: ConsoleClient, text: string) {
  const answer = await who.get(`/search?q=${encodeURIComponent(text)}`);
  const html = await answer.text();
  return { to: answer.headers.get('location'), html };
}

const accountOf = async (address: string) => (await find(operator, address)).to ?? '';

test('the account page has a search field, and a search for a whole key redirects to a search for its prefix', async () => {
  expect(await (await newcomer.get('/account')).text()).toContain('action="/search"');
  const answer = await newcomer.submit('/account', { q: ` ${app.apiKey} ` }, '/search');
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    `/search?q=${app.apiKey.slice(0, 16)}`,
  ]);
});

test('a search for a part of a name finds projects and, for operators only, accounts', async () => {
  const own = await find(newcomer, 'wetter');
  expect(own.html).toContain('Wetterkarte ☂');
  expect(own.html).toMatch(/href="\/projects\/prj_\w+"/u);
  const ofAll = await find(operator, 'wetter');
  expect(ofAll.html).toContain('Wetterkarte ☂');
  expect(ofAll.html).toContain(email);
  expect((await find(operator, 'newcomer')).html).toContain('<h2>Accounts');
  expect((await find(newcomer, 'newcomer')).html).toContain('Nothing found');
});

test('a search for the prefix or number of a key, or the id of a request, leads straight to the page of that key or request', async () => {
  const prefix = app.apiKey.slice(0, 16);
  expect((await find(operator, prefix)).to).toBe('/keys/1');
  expect((await find(operator, `${prefix}…`)).to).toBe('/keys/1');
  expect((await find(operator, '1')).to).toBe('/keys/1');
  expect((await find(operator, requestId)).to).toBe(`/requests/${requestId}`);
});

test('a search for the id of an account or project leads operators to the account, and owners to the project', async () => {
  const account = await accountOf(email);
  expect(account).toMatch(/^\/operator\/accounts\/acc_\w+$/u);
  expect((await find(operator, account.split('/').at(-1) ?? '')).to).toBe(account);
  const project = /href="\/projects\/(prj_\w+)"/u.exec((await find(newcomer, 'wetter')).html)?.[1] ?? '';
  expect((await find(newcomer, project)).to).toBe(`/projects/${project}`);
  expect((await find(operator, project)).to).toBe(account);
});

test('a search by somebody who is no operator finds nothing of another account, however exactly it is named', async () => {
  for (const text of [app.apiKey.slice(0, 16), '1', requestId, app.first.email, 'First project']) {
    const { to, html } = await find(newcomer, text);
    expect([text, to, html.includes('Nothing found')]).toEqual([text, null, true]);
  }
});

test('a search by an operator who lacks the required second factor finds no other accounts', async () => {
  const strict = await startConsoleApp({ SIGNPOST_OPERATOR_SECOND_FACTOR: 'required' });
  const first = await signInFirstOperator(strict);
  await signUpNewcomer(strict);
  expect((await find(first, 'newcomer')).html).toContain('Nothing found');
  await strict.close();
});

test.each([
  ['a percent sign', '%'],
  ['a condition in SQL', "' OR 1=1 --"],
  ['500 emoji', '😀'.repeat(500)],
  ['a script', '<script>'],
  ['a path', '../..'],
  ['a number of 20 digits', '99999999999999999999'],
])('a search for %s gets 200 and a page without inline scripts', async (_what, text) => {
  for (const who of [newcomer, operator]) {
    const answer = await who.get(`/search?q=${encodeURIComponent(text)}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain('<script>');
  }
});

/** A page without its header, because the header names the signed-in account. */
const mainOf = async (path: string) => (await (await operator.get(path)).text()).split('<main', 2)[1] ?? '';

test('the list of accounts is sorted and filtered by query parameters', async () => {
  const accounts = await mainOf('/operator/accounts?sort=-made');
  expect(accounts.indexOf(email)).toBeLessThan(accounts.indexOf(app.first.email));
  expect((await mainOf('/operator/accounts?state=operator')).includes(email)).toBe(false);
});

test('the lists of projects are sorted and searched by query parameters', async () => {
  expect(await mainOf('/operator/projects?sort=-name')).toMatch(/Wetterkarte.*First project/su);
  expect(await mainOf('/projects?sort=-name')).toMatch(/aria-sort="descending".*First project/su);
  expect(await mainOf('/projects?search=nothing')).toContain('No project matches');
});

test('the audit log is sorted by a query parameter', async () => {
  const timesIn = (html: string) => [...html.matchAll(/<time datetime="([^"]+)"/gu)].map(([, time]) => time);
  const oldestFirst = await mainOf('/operator/audit?sort=time');
  expect(oldestFirst).toMatch(/aria-sort="ascending"/u);
  const times = timesIn(oldestFirst);
  expect(new Set(times).size).toBeGreaterThan(1);
  expect(times).toEqual(times.toSorted());
  expect(timesIn(await mainOf('/operator/audit'))).toEqual(times.toReversed());
});

describe('if an account has 121 keys', () => {
  beforeAll(async () => {
    const storage = await openStorage({ file: join(app.dataDir, 'signpost.db') });
    const [project] = await storage.db('projects').where({ name: 'First project' }).pluck('id');
    await storage.db.batchInsert(
      'api_keys',
      Array.from({ length: 120 }, (_, index) => ({
        project_id: project,
        hash: `hash ${index}`,
        created_at: index,
        prefix: `sp_live_${String(index).padStart(8, '0')}`,
      })),
    );
    await storage.close();
  });

  describe.each(['/keys', '/operator/keys'])('the page %s', (path) => {
    test('a list of keys is sorted by a query parameter, which the link to its next page keeps', async () => {
      const first = await mainOf(`${path}?sort=key`);
      expect(first).toMatch(/aria-sort="ascending"[^>]*><a href="[^"]*sort=-key"/u);
      expect(first.match(/sp_live_\d{8}/gu)?.slice(0, 2)).toEqual(['sp_live_00000000', 'sp_live_00000001']);
      expect(first).toContain(`href="${path}?sort=key&amp;page=2"`);
    });

    test('a search in a list of keys shows the matching keys, sorted by a query parameter', async () => {
      const narrowed = await mainOf(`${path}?search=0000001&sort=-key`);
      expect(narrowed.match(/sp_live_\d{8}/gu)?.[0]).toBe('sp_live_00000019');
    });

    test('a list of keys redirects from a page beyond the last one to the last one', async () => {
      expect((await operator.get(`${path}?page=99`)).headers.get('location')).toBe(`${path}?page=3`);
    });
  });

  test('the usage pages offer the 50 most recently used keys and the selected one, but no key of an account that they do not show', async () => {
    const choices = async (who: ConsoleClient, path: string) => {
      const html = await (await who.get(path)).text();
      const [, select = ''] = /<select id="key"[^>]*>(.*?)<\/select>/su.exec(html) ?? [];
      const chosen = /<option value="(\d+)" selected/u.exec(select)?.[1];
      const ids = [...select.matchAll(/<option value="(\d+)"/gu)].map(([, id]) => id);
      return { ids, chosen, isCut: html.includes('that were used last') };
    };
    for (const path of ['/usage', '/operator/usage']) {
      const { ids, isCut } = await choices(operator, path);
      expect([ids.length, ids[0], isCut]).toEqual([50, '1', true]);
      const last = ids.at(-1) ?? '';
      const other = String(Number(last) + 50);
      expect(ids).not.toContain(other);
      expect(await choices(operator, `${path}?key=${other}`)).toEqual({
        ids: [...ids, other],
        chosen: other,
        isCut: true,
      });
    }
    expect(await choices(newcomer, '/usage?key=1')).toEqual({ ids: [], chosen: undefined, isCut: false });
    const ofNewcomer = await choices(operator, `/operator/usage?account=${email}&key=1`);
    expect(ofNewcomer.ids).toEqual([]);
    expect(await (await operator.get('/operator/usage?key=1')).text()).toContain('Get usage statistics');
  });

  test('the operators’ page of an account leads to its projects, also to those without keys', async () => {
    await operator.submit('/overview', { name: 'Without keys' }, '/projects');
    const html = await (await operator.get(await accountOf(app.first.email))).text();
    const [, path = ''] = /href="(\/operator\/projects\?account=[^"]+)"/u.exec(html) ?? [];
    const projects = await (await operator.get(path)).text();
    for (const name of ['First project', 'Without keys']) expect(projects).toContain(`<bdi>${name}</bdi>`);
    expect(projects).not.toContain('Wetterkarte');
    const byEmail = `/operator/projects?account=${encodeURIComponent(app.first.email)}`;
    expect(await (await operator.get(byEmail)).text()).not.toContain('Wetterkarte');
  });

  test('the operators’ usage page of a project shows the id of the project in a field of the filter', async () => {
    const html = await (await operator.get('/operator/usage?project=prj_1')).text();
    expect(html).toContain('name="project" type="search" value="prj_1"');
  });
});

test('the overview offers to create keys if there are six projects, and only lists the projects if there are seven', async () => {
  const { visitor } = await signUpNewcomer(app);
  const overview = async () => (await visitor.get('/overview')).text();
  const names = Array.from({ length: 7 }, (_, index) => `Program ${index}`);
  for (const name of names.slice(0, 6)) await visitor.submit('/overview', { name }, '/projects');
  expect(await overview()).toContain('Create a key');
  await visitor.submit('/overview', { name: names[6] ?? '' }, '/projects');
  const many = await overview();
  expect(many).not.toContain('Create a key');
  for (const name of names) expect(many).toMatch(new RegExp(`href="/projects/prj_\\w+"><bdi>${name}<`, 'u'));
});
