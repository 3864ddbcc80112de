import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { OPERATORS_PASSWORD } from '../fixtures/console-steps.js';
import { type MailServer, startMailServer } from '../fixtures/mail-server.js';

const OWN = 'grace@example.org';

let app: ConsoleApp;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  app = await startConsoleApp({
    SIGNPOST_SIGNUP: 'closed',
    SIGNPOST_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SIGNPOST_MAIL_FROM: 'Signpost <signpost@example.org>',
  });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

test('the first operator replaces operator@localhost at the first sign-in, and then gets mail at the new address', async () => {
  const operator = new ConsoleClient(app.url);
  const { email, password } = app.first;
  await operator.signIn(email, password);
  expect(await (await operator.get('/password')).text()).toContain('No mail reaches operator@localhost.');

  const wrong = { current: password, next: OPERATORS_PASSWORD, email: 'no address' };
  expect((await operator.submit('/password', wrong)).status).toBe(400);
  const changed = await operator.submit('/password', { ...wrong, email: OWN });
  expect(changed.headers.get('location')).toBe('/overview?done=password');
  expect(await (await operator.get('/password')).text()).not.toContain('No mail reaches');
  expect((await new ConsoleClient(app.url).signIn(OWN, OPERATORS_PASSWORD)).status).toBe(303);

  await new ConsoleClient(app.url).submit('/request-access', {
    email: 'newcomer@example.org',
    name: '',
    reason: '',
  });
  expect(await mail.mail('newcomer@example.org asks for an account')).toMatchObject({ to: OWN });
});
