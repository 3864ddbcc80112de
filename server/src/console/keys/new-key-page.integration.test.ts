import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

test('an account that submits forty key forms at once gets twenty keys', async () => {
  const bob = new ConsoleClient(app.url);
  await bob.submit('/signup', { email: 'bob@example.org', name: '', password: 'a long enough password' });
  await bob.submit('/overview', { name: 'Map' }, '/projects');
  const html = await (await bob.get('/overview')).text();
  const action = /href="(\/projects\/[^"]+\/keys)"/u.exec(html)?.[1] ?? '';
  const _csrf = /name="_csrf" value="([^"]+)"/u.exec(html)?.[1] ?? '';
  const answers = await Promise.all(Array.from({ length: 40 }, () => bob.post(action, { _csrf })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(400)]);
});
