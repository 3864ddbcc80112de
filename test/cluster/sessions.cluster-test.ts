import { ConsoleClient } from '../fixtures/console-client.js';
import { PASSWORD } from '../fixtures/console-steps.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { accountPathOf, createKeyAt, elsewhere, signInOperator, signUpAt } from './support/people.js';
import { lookUp, tokenStatus } from './support/requests.js';

const WRONG_PASSWORDS = 10;

let cluster: Cluster;
let one: string;
let two: string;
let three: string;

beforeAll(async () => {
  cluster = await startCluster();
  [one = '', two = '', three = ''] = cluster.members.map(({ url }) => url);
});
afterAll(() => cluster.remove());

test('signing up at one server signs in at all, and signing out of one signs out of all', async () => {
  const visitor = await signUpAt(one, 'everywhere@example.org');
  for (const url of [one, two, three, cluster.balancer.url])
    expect([url, (await elsewhere(visitor, url).get('/overview')).status]).toEqual([url, 200]);
  const left = elsewhere(visitor, two);
  expect((await left.submit('/overview', {}, '/signout')).status).toBe(303);
  for (const url of [one, two, three])
    expect([url, (await elsewhere(visitor, url).get('/overview')).status]).toEqual([url, 303]);
});

test('other servers accept a form that one server made, but not with a wrong CSRF token', async () => {
  const visitor = await signUpAt(one, 'forms@example.org');
  for (const [index, url] of [two, three].entries()) {
    const made = await (await visitor.get('/overview')).text();
    const token = /name="_csrf" value="([^"]+)"/u.exec(made)?.[1] ?? '';
    const sender = elsewhere(visitor, url);
    const name = `Project ${index}`;
    expect((await sender.post('/projects', { name, _csrf: `${token}x` })).status).toBe(403);
    const answer = await sender.post('/projects', { name, _csrf: token });
    expect(answer.headers.get('location')).toBe('/overview?done=project');
  }
  const overview = await (await visitor.get('/overview')).text();
  expect(overview).toContain('Project 0');
  expect(overview).toContain('Project 1');
});

test('a sign-in form from one server works at another', async () => {
  await signUpAt(one, 'sign-in@example.org');
  const visitor = new ConsoleClient(one);
  const token = /name="_csrf" value="([^"]+)"/u.exec(await (await visitor.get('/signin')).text())?.[1] ?? '';
  const answer = await elsewhere(visitor, three).post('/signin', {
    email: 'sign-in@example.org',
    password: PASSWORD,
    _csrf: token,
  });
  expect(answer.headers.get('location')).toBe('/overview');
});

test('every server accepts a new key, and lists it on the overview without showing it whole', async () => {
  const visitor = await signUpAt(one, 'new-key@example.org');
  const key = await createKeyAt(elsewhere(visitor, two), 'A project');
  for (const url of [one, two, three]) {
    const overview = await (await elsewhere(visitor, url).get('/overview')).text();
    expect(overview).not.toContain(key);
    expect(overview).toContain(key.slice(0, 'sp_live_1234'.length));
    expect((await lookUp(url, key)).status).toBe(200);
  }
});

test('the steps of /apilogin may go through different servers, and its token is valid on all', async () => {
  const returnUrl = 'https://app.example/signed-in?case=7';
  await cluster.json('return-url', 'add', 'https://app.example/signed-in', '--name', 'Example app');
  const operator = await signInOperator(cluster, one);
  const visitor = await signUpAt(one, 'api-login@example.org');
  const path = await accountPathOf(operator, 'api-login@example.org');
  await operator.submit(path, { state: 'on' }, `${path}/api-access`);

  const asked = await new ConsoleClient(two).get(`/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`);
  const signIn = asked.headers.get('location') ?? '';
  expect(signIn).toMatch(/^\/signin\?next=/u);
  const question = elsewhere(visitor, two);
  const page = await (await question.get(`/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`)).text();
  const token = /name="_csrf" value="([^"]+)"/u.exec(page)?.[1] ?? '';
  const agreed = await elsewhere(question, three).post('/apilogin', { returnUrl, _csrf: token });
  expect(agreed.status).toBe(303);
  const back = new URL(agreed.headers.get('location') ?? '');
  expect([back.origin + back.pathname, back.searchParams.get('case')]).toEqual([
    'https://app.example/signed-in',
    '7',
  ]);
  for (const url of [one, two, three])
    expect((await tokenStatus(url, back.searchParams.get('token') ?? '')).status).toBe(200);
});

test('failed sign-ins are counted across all servers', async () => {
  const email = 'guessed@example.org';
  await signUpAt(one, email);
  const urls = [one, two, three];
  for (let tries = 0; tries < WRONG_PASSWORDS; tries += 1) {
    const url = urls[tries % urls.length] ?? '';
    expect((await new ConsoleClient(url).signIn(email, `wrong password ${tries}`)).status).toBe(401);
  }
  for (const url of urls) {
    const refused = await new ConsoleClient(url).signIn(email, PASSWORD);
    expect([url, refused.status]).toEqual([url, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

test('the balancer does not pass on an address that the caller claims to have', async () => {
  const email = 'claims@example.org';
  await signUpAt(one, email);
  const statuses: number[] = [];
  for (let tries = 0; tries <= WRONG_PASSWORDS; tries += 1) {
    const visitor = new ConsoleClient(cluster.balancer.url);
    const claim = { 'X-Forwarded-For': `203.0.113.${tries}`, Forwarded: `for=203.0.113.${tries}` };
    statuses.push(
      (await visitor.submit('/signin', { email, password: 'wrong password' }, '/signin', claim)).status,
    );
  }
  expect(statuses).toEqual([...Array<number>(WRONG_PASSWORDS).fill(401), 429]);
});
