import { testContext } from '../../../test/fixtures/domain-context.js';
import { disableAccount, setApiAccess } from '../accounts/account-state.js';
import type { Actor } from '../audit/audit.js';
import { listEntries } from '../audit/read-audit.js';
import { createThrottle } from '../throttle/throttle.js';
import { openTestTokens, type TestTokens } from '../../../test/fixtures/tokens/test-tokens.js';
import { allowSite, isAllowed, listAllowedSites, withdrawSite } from './allowed-sites.js';
import { addReturnUrl, type MatchedReturnUrl, matchReturnUrl, removeReturnUrl } from './return-urls.js';

const APP = 'https://app.example/signed-in';
const clock = () => 1_000;

let bench: TestTokens;
let site: MatchedReturnUrl;
let accountIds: string[];
beforeEach(async () => {
  bench = await openTestTokens(createThrottle);
  site = await register(APP);
  accountIds = await bench.db('accounts').orderBy('id').pluck('id');
});
afterEach(() => bench.close());

async function register(url: string): Promise<MatchedReturnUrl> {
  await addReturnUrl(bench.domain, { url, name: 'App' });
  const match = await matchReturnUrl(bench, `${url}?state=1`);
  if (match === undefined) throw new Error('It is not registered.');
  return match;
}

const first = () => accountIds[0] ?? '';
const contextOf = (accountId: string) => {
  const actor: Actor = { accountId, address: '192.0.2.1', via: 'console' };
  return testContext(bench.db, clock, actor);
};
const allow = (accountId: string) => allowSite(contextOf(accountId), accountId, site);
const audited = async () =>
  (await listEntries(bench.db, { limit: 9 }))
    .filter(({ kind }) => kind.startsWith('site.'))
    .map(({ kind, detail }) => [kind, detail]);

test('a consent applies only to its account and return URL, and is listed without the query', async () => {
  const other = await register('https://app.example/other');
  await allow(first());
  expect(await isAllowed(bench, first(), site)).toBe(true);
  expect(await isAllowed(bench, accountIds[1] ?? '', site)).toBe(false);
  expect(await isAllowed(bench, first(), other)).toBe(false);
  expect(await listAllowedSites(bench, first())).toEqual([
    { id: site.id, name: 'App', url: APP, agreedAtMs: 1_000 },
  ]);
});

test('concurrent consents are stored once, with one audit entry', async () => {
  await Promise.all([1, 2, 3, 4].map(() => allow(first())));
  expect(await listAllowedSites(bench, first())).toHaveLength(1);
  expect(await audited()).toEqual([['site.allowed', APP]]);
});

test("withdrawing removes only the account's own consent, with an audit entry if there was one", async () => {
  const second = accountIds[1] ?? '';
  await allow(first());
  await withdrawSite(contextOf(second), second, site.id);
  expect(await isAllowed(bench, first(), site)).toBe(true);
  await withdrawSite(contextOf(first()), first(), site.id);
  await withdrawSite(contextOf(first()), first(), site.id);
  expect(await isAllowed(bench, first(), site)).toBe(false);
  expect((await audited()).map(([kind]) => kind).toSorted()).toEqual(['site.allowed', 'site.withdrawn']);
});

test('a return URL that is removed and registered again starts without consents', async () => {
  await allow(first());
  await removeReturnUrl(bench.domain, APP);
  expect(await isAllowed(bench, first(), await register(APP))).toBe(false);
});

test('stores no consent for a return URL that was removed after it was checked', async () => {
  await removeReturnUrl(bench.domain, APP);
  expect(await allow(first())).toBe(false);
  expect(await audited()).toEqual([]);
});

test.each([
  ['lost API access', (id: string) => setApiAccess(contextOf(id), id, false)],
  ['was disabled', (id: string) => disableAccount(contextOf(id), id)],
  ['was deleted', (id: string) => bench.db('accounts').where({ id }).delete()],
])('stores no consent if the account %s after the return URL was checked', async (_what, change) => {
  await change(first());
  await expect(allow(first())).rejects.toMatchObject({ kind: 'unauthorized' });
  expect(await isAllowed(bench, first(), site)).toBe(false);
});

test.each([
  ['loses API access', (id: string) => setApiAccess(contextOf(id), id, false)],
  ['is disabled', (id: string) => disableAccount(contextOf(id), id)],
])('removes the consents of an account when it %s', async (_what, change) => {
  await allow(first());
  await change(first());
  expect(await isAllowed(bench, first(), site)).toBe(false);
});
