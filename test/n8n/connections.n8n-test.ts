import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { makeCertificate } from '../fixtures/storage/certificates.js';
import { signpostCredential } from './support/keys.js';
import type { Credential } from './support/n8n.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost, workflow } from './support/workflow.js';

const created = z.object({ data: z.object({ id: z.string() }) });
const testAnswer = z.object({ data: z.object({ status: z.string(), message: z.string() }) });
const current = { typeVersion: 1.2 };

/** Responds to a lookup and to a request for the usage of the key as a Signpost server does. */
function answerAsSignpost(request: IncomingMessage, response: ServerResponse): void {
  const body = request.url === '/api/usage' ? { totalRequests: 0 } : { result: { postcode: 'SW1A 1AA' } };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts a server on loopback with a self-signed certificate. */
async function startSelfSigned(folder: string): Promise<{ server: Server; url: string }> {
  const { cert, key } = await makeCertificate(folder, 'server', { subject: 'signpost', host: '127.0.0.1' });
  const server = createServer({ cert: await readFile(cert), key: await readFile(key) }, answerAsSignpost);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { server, url: `https://127.0.0.1:${address.port}` };
}

describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;
  let folder: string;
  let selfSigned: Awaited<ReturnType<typeof startSelfSigned>>;

  const insecure = (name: string): Credential => {
    const credential = signpostCredential(name, selfSigned.url, 'any');
    return { ...credential, data: { ...credential.data, allowUnauthorizedCerts: true } };
  };

  beforeAll(async () => {
    pages = await servePages({ '/gone': (_request, response) => response.writeHead(410).end('Gone') });
    folder = await mkdtemp(join(tmpdir(), 'signpost-certificate-'));
    selfSigned = await startSelfSigned(folder);
    scene = await startScene(
      () => [
        signpostCredential('self-signed', selfSigned.url, 'any'),
        insecure('insecure'),
        signpostCredential('not https', pages.url.replace('http:', 'https:'), 'any'),
        signpostCredential('no such host', 'http://signpost.invalid', 'any'),
      ],
      line,
    );
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    await pages.close();
    selfSigned.server.closeAllConnections();
    selfSigned.server.close();
    await rm(folder, { recursive: true });
  });

  const lookUp = (credential: string) =>
    signpost(
      'Look Up',
      { resource: 'postcode', operation: 'lookUp', postcode: 'SW1A 1AA', options: { maximumWait: 0 } },
      credential,
      { ...current, onError: 'continueRegularOutput' },
    );

  test.each([
    ['self-signed', 'The certificate of the Signpost server is not trusted', 'Ignore SSL Issues (Insecure)'],
    ['not https', 'The server at the Base URL does not speak https', 'http://'],
    ['no such host', 'The Signpost server cannot be reached: its name is not known', 'Base URL'],
  ])(
    'if the server has the fault "%s", the error in the item says what is wrong and what to do',
    async (name, error, advice) => {
      const done = await scene.n8n.run(workflow('fault', [{ row: 7 }], [lookUp(name)]));
      expect(done.json('Look Up')).toEqual([
        { row: 7, error, details: { description: expect.stringContaining(advice) } },
      ]);
    },
  );

  test('with Ignore SSL Issues (Insecure), a node connects to a server that signed its certificate itself', async () => {
    const done = await scene.n8n.run(workflow('insecure', [{ row: 7 }], [lookUp('insecure')]));
    expect(done.json('Look Up')).toEqual([{ row: 7, postcode: 'SW1A 1AA' }]);
    const { body } = await scene.n8n.rest('POST', '/credentials/test', {
      credentials: { id: scene.n8n.credentialId('insecure'), ...insecure('insecure') },
    });
    expect(testAnswer.parse(body).data).toMatchObject({ status: 'OK' });
  });

  test('a failed capture has the status of its page, and its message uses the names of the editor', async () => {
    const node = signpost(
      'Capture',
      {
        resource: 'capture',
        operation: 'screenshot',
        url: '={{ $json.page }}',
        options: { failOnPageStatus: "={{ $json.page.endsWith('/gone') }}" },
        pictureOptions: { width: '={{ $json.width }}' },
      },
      'signpost',
      { ...current, onError: 'continueErrorOutput' },
    );
    const items = [
      { page: `${pages.url}/gone`, width: 64 },
      { page: `${pages.url}/`, width: 3 },
    ];
    const done = await scene.n8n.run(workflow('page status', items, [node]));
    expect(done.items('Capture', 1).map(({ json }) => json)).toMatchObject([
      { ...items[0], pageStatus: 410, error: expect.stringContaining('Fail on Page Status') },
      { ...items[1], error: expect.stringContaining('Window Width (Pixels)'), details: { httpStatus: 400 } },
    ]);
  });

  if (line === 'newest')
    test("the error of a server that n8n's SSRF protection blocks names the variable to set", async () => {
      const { body } = await scene.n8n.rest(
        'POST',
        '/workflows',
        workflow('blocked', [], [lookUp('signpost')]),
      );
      const { id } = created.parse(body).data;
      const execute = ['execute', `--id=${id}`, '--rawOutput'];
      const protection = { N8N_SSRF_PROTECTION_ENABLED: 'true' };
      const blocked = await scene.n8n.commandWith(protection, ...execute);
      expect(blocked.output).toContain("n8n's SSRF protection blocks the Signpost server");
      expect(blocked.output).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
      const allowed = { ...protection, N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8' };
      expect((await scene.n8n.commandWith(allowed, ...execute)).output).toContain('Westminster');
    });
});
