import { servePages, type Pages } from '../fixtures/pages.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost, workflow } from './support/workflow.js';

const SECRET = 'canary-91c4 "quoted"';

const page = (body: string) => `<!doctype html><title>A site</title><main>${body}</main>`;
const FORM = page(
  '<form method="post" action="/account"><input id="user" name="user"><input id="password" name="password" type="password"><button>Sign in</button></form>',
);

describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;

  beforeAll(async () => {
    pages = await servePages({
      '/sign-in': (_request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(FORM);
      },
      '/account': (request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          const form = new URLSearchParams(Buffer.concat(parts).toString());
          const isRight = form.get('user') === 'ada' && form.get('password') === SECRET;
          response.setHeader('Content-Type', 'text/html');
          response.end(page(isRight ? '<p>Balance 42 pounds</p>' : '<p>Wrong password</p>'));
        });
      },
    });
    scene = await startScene(
      () => [{ name: 'site', type: 'httpBasicAuth', data: { user: 'ada', password: SECRET } }],
      line,
    );
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    await pages.close();
  });

  /** Reads a page behind a sign-in. */
  const reading = (credentials: Readonly<Record<string, { id: string; name: string }>>) =>
    signpost(
      'Read',
      {
        resource: 'capture',
        operation: 'readPage',
        url: `${pages.url}/sign-in`,
        format: 'text',
        mainContentOnly: false,
        signinCookiesAndHeadersOptions: {
          steps: {
            values: [
              { action: 'fill', fill: '#user', value: '{username}' },
              { action: 'fill', fill: '#password', value: '{password}' },
              { action: 'click', click: 'text=Sign in' },
              { action: 'waitForSelector', waitForSelector: 'p' },
            ],
          },
        },
      },
      'signpost',
      {
        typeVersion: 1.2,
        credentials: { signpostApi: { id: 'signpost', name: 'signpost' }, ...credentials },
      },
    );

  test('steps sign in with a Basic Auth credential, whose password is not stored with the run', async () => {
    const node = reading({ httpBasicAuth: { id: 'site', name: 'site' } });
    const done = await scene.n8n.run(workflow('steps', [{ row: 7 }], [node]));
    expect(done.error).toBeUndefined();
    const [json] = done.json('Read');
    expect(json).toMatchObject({ row: 7, content: expect.stringContaining('Balance 42 pounds') });
    const { body } = await scene.n8n.rest('GET', `/executions/${done.id}`);
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  test('steps with {username} fail without a Basic Auth credential, and the error says so', async () => {
    const done = await scene.n8n.run(workflow('steps', [{}], [reading({})]));
    expect(done.error?.message).toBe('Steps have {username}, but the node has no Basic Auth credential');
  });

  test('Make Link makes a link that shows a capture without a key', async () => {
    const node = signpost(
      'Link',
      {
        resource: 'capture',
        operation: 'makeALink',
        linkedCapture: 'captureScreenshot',
        url: `${pages.url}/`,
        captureOptions: '{ "width": 320, "height": 200 }',
      },
      'signpost',
      { typeVersion: 1.2 },
    );
    const done = await scene.n8n.run(workflow('link', [{ row: 7 }], [node]));
    expect(done.error).toBeUndefined();
    const [json] = done.json('Link');
    expect(json).toEqual({ row: 7, url: expect.any(String), expiresAt: expect.stringMatching(/Z$/u) });
    const { pathname } = new URL(String(json?.url));
    const opened = await fetch(new URL(pathname, scene.signpost.url));
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
