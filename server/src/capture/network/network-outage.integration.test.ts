import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../../test/fixtures/capture/listen.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import {
  ipv4Only,
  startNameServer,
  type AnswerQuestion,
  type NameServer,
} from '../../../../test/fixtures/name-server.js';
import { makeCertificate } from '../../../../test/fixtures/storage/certificates.js';
import { ServiceError } from '../../platform/errors.js';
import type { CaptureService } from '../capture-service.js';

/** A name server that works, except that it does not look up three of the names. */
const WORKING: AnswerQuestion = (name, family) => {
  if (name === 'silent.test') return 'silent';
  if (name === 'failing.test') return 'SERVFAIL';
  if (name === 'refused.test') return 'REFUSED';
  return ['site.test', 'probe.test'].includes(name) ? ipv4Only([SITE_ADDRESS], family) : 'NXDOMAIN';
};

let site: PageServer;
let names: NameServer;
let answerTo: AnswerQuestion;
let capture: CaptureService;
let lines: { level: string; fields: object; message: string }[];

beforeAll(async () => {
  site = await startPageServer({ '/page': 'a page' });
  names = await startNameServer((name, family) => answerTo(name, family));
});

beforeEach(async () => {
  answerTo = WORKING;
  lines = [];
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message });
  capture = await startTestCapture({
    nameServers: [names.address],
    probeNames: ['probe.test'],
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  });
});

afterEach(() => capture.close());
afterAll(async () => {
  await Promise.all([site.close(), names.close()]);
});

const shootName = (name: string) => shoot(capture, `http://${name}:${site.port}/page`);
const errors = () => lines.filter(({ level }) => level === 'error').map(({ message }) => message);

test.each([
  ['silent', 'no name server answers'],
  ['SERVFAIL', 'the name servers answer every question with a failure'],
  ['REFUSED', 'the name servers answer every question with a failure'],
] as const)(
  'name servers whose reply to every name is %s are an outage of the server, logged once, until they find names again',
  async (answer, problem) => {
    answerTo = () => answer;
    const failed: unknown = await shootName('site.test').catch((error: unknown) => error);
    const again = await outcome(shootName('other.test'));

    expect(failed).toBeInstanceOf(ServiceError);
    expect(failed).toMatchObject({ kind: 'overloaded', retryAfterSeconds: 30, isLogged: true });
    expect(again).toMatchObject({
      kind: 'overloaded',
      message: expect.stringContaining(`this server cannot use its own network: ${problem}.`),
    });
    expect(capture.state().networkProblem).toBe(problem);
    expect(errors()).toEqual([expect.stringContaining(problem)]);

    answerTo = WORKING;
    expect(await outcome(shootName('site.test'))).toMatchObject({ kind: 'captured' });
  },
);

test.each([
  ['silent.test', 'no name server answered when it was asked for its name'],
  ['failing.test', 'the name servers failed to look up its name'],
  ['refused.test', 'the name servers failed to look up its name'],
  ['nowhere.test', 'its name was not found'],
])('if the name %s alone cannot be resolved, there is no outage', async (name, words) => {
  expect(await outcome(shootName(name))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringContaining(words),
  });
  expect(capture.state().networkProblem).toBeUndefined();
  expect(errors()).toEqual([]);
  expect(lines.filter(({ message }) => message === 'A capture failed.')).toEqual([
    {
      level: 'debug',
      fields: expect.objectContaining({ outcome: 'invalidRequest', reason: expect.stringContaining(words) }),
      message: 'A capture failed.',
    },
  ]);
});

test('a server without the Internet that finds its own pages has no outage', async () => {
  answerTo = (name, family) => (name === 'site.test' ? ipv4Only([SITE_ADDRESS], family) : 'REFUSED');
  expect(await outcome(shootName('site.test'))).toMatchObject({ kind: 'captured' });

  expect(await outcome(shootName('www.public.test'))).toMatchObject({ kind: 'invalidRequest' });
  expect(capture.state().networkProblem).toBeUndefined();
});

test('name servers that say of every name that it does not exist are not an outage', async () => {
  answerTo = () => 'NXDOMAIN';

  expect(await outcome(shootName('site.test'))).toMatchObject({
    kind: 'invalidRequest',
    message: expect.stringContaining('its name was not found'),
  });
  expect(capture.state().networkProblem).toBeUndefined();
});

describe('a certificate that is wrong', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-outage-'))));
  afterAll(() => rm(folder, { recursive: true }));

  test('reports a certificate from an unknown authority, also in the log', async () => {
    const files = await makeCertificate(folder, 'own', { subject: 'Own', host: 'site.test' });
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    const server = createServer({ cert, key }, (_request, response) => response.end('x'));
    const port = await listen(server, SITE_ADDRESS);
    const { message } = await outcome(shoot(capture, `https://site.test:${port}/`));
    const last = lines.at(-1);
    for (let count = 0; count < 4; count += 1)
      await outcome(shoot(capture, `https://site.test:${port}/${count}`));
    await new Promise((resolve) => server.close(resolve));

    expect(message).toContain('its certificate is self-signed, or from an authority that is not trusted');
    const detail = 'net::ERR_CERT_AUTHORITY_INVALID';
    expect(last).toMatchObject({ level: 'debug', fields: { detail } });
    // Captures fail like this behind a proxy that inspects https.
    expect(lines.filter(({ message }) => message.startsWith('The last 5 captures failed'))).toEqual([
      {
        level: 'warn',
        fields: { reason: 'certificate', detail },
        message: expect.stringContaining('SIGNPOST_EXTRA_CA_FILE'),
      },
    ]);
    expect(capture.state().failing).toEqual({ reason: 'certificate', count: 5, detail });
  });

  test('the error about a port that does not speak TLS says that TLS failed', async () => {
    expect(await outcome(shoot(capture, `https://site.test:${site.port}/`))).toMatchObject({
      message: expect.stringContaining('not secure: TLS failed; perhaps its port does not speak https'),
    });
  });
});
