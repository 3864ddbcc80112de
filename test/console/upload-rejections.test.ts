import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { IMPORT_BOUNDS } from '../../server/src/postcodes/import/import-error.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { AnswerReader, type RawAnswer } from '../fixtures/raw-answers.js';
import { waitUntil } from '../fixtures/wait-until.js';

const PATH = '/operator/directory';
const BOUNDARY = 'a-boundary';
/** More than the kernels of both ends buffer for a connection. */
const FILE = Buffer.alloc(24_000_000, 'x');
const END = `\r\n--${BOUNDARY}--\r\n`;

let app: ConsoleApp;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
});
afterAll(() => app.close());

const part = (disposition: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
const formOf = (token: string) =>
  `${part('name="_csrf"')}${token}\r\n${part('name="file"; filename="a.csv"')}`;

const headOf = ({ url, cookies }: ConsoleClient, contentBytes: number) =>
  [
    `POST ${PATH}/upload HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Cookie: ${Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${contentBytes}`,
    '',
    '',
  ].join('\r\n');

/** Opens a connection for an upload. */
async function connected() {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  return socket;
}

/** Reads responses on a connection until there are at least `count`, or the connection ends. */
async function answersOn(socket: Socket, count: number): Promise<readonly RawAnswer[]> {
  const reader = new AnswerReader();
  const answers: RawAnswer[] = [];
  for await (const chunk of socket) {
    if (Buffer.isBuffer(chunk)) answers.push(...reader.add(chunk));
    if (answers.length >= count) break;
  }
  return answers;
}

/**
 * Sends a whole upload before reading anything, as browsers do, followed by a second request. Returns both responses.
 */
async function upload(client: ConsoleClient, token: string, pieces = 1): Promise<readonly RawAnswer[]> {
  const socket = await connected();
  const [form, end] = [Buffer.from(formOf(token)), Buffer.from(END)];
  const head = headOf(client, form.length + pieces * FILE.length + end.length);
  const next = `GET /healthz HTTP/1.1\r\nHost: ${new URL(client.url).host}\r\n\r\n`;
  const sent = [
    Buffer.from(head),
    form,
    ...Array.from({ length: pieces }, () => FILE),
    end,
    Buffer.from(next),
  ];
  await pipeline(sent, socket, { end: false });
  return answersOn(socket, 2);
}

const NEXT = { status: 200, body: expect.stringContaining('ok') };

test('a person who is not signed in is led to the sign-in after sending the file', async () => {
  const [refused, next] = await upload(new ConsoleClient(app.url), 'none');
  expect(refused).toMatchObject({
    status: 303,
    headers: { location: `/signin?next=${encodeURIComponent(`${PATH}/upload`)}` },
  });
  expect(next).toMatchObject(NEXT);
});

test('an upload with a wrong CSRF token is rejected with a message after its whole file was sent', async () => {
  const [refused, next] = await upload(operator, 'none');
  expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('This form was not accepted') });
  expect(next).toMatchObject(NEXT);
});

test('while an import is running, another upload is rejected with a message after its whole file was sent', async () => {
  const token = await operator.tokenOf(PATH);
  const first = await connected();
  first.write(`${headOf(operator, 1_000_000)}${formOf(token)}the beginning of a file`);
  const isUnderWay = async () => (await (await operator.get(PATH)).text()).includes('An import is under way');
  await waitUntil('an import is under way', isUnderWay);
  // 312 MB, more than the server reads of a rejected upload from a stranger.
  const [refused, next] = await upload(operator, token, 13);
  expect(refused).toMatchObject({
    status: 400,
    body: expect.stringContaining('Another import is running. Wait until it is done, then try again.'),
  });
  expect(next).toMatchObject(NEXT);
  first.destroy();
  await waitUntil('none is under way', async () => !(await isUnderWay()));
});

test('a file that is announced as too large is rejected before any of it is sent', async () => {
  const socket = await connected();
  socket.write(headOf(operator, IMPORT_BOUNDS.maxDownloadBytes + 1));
  const [refused] = await answersOn(socket, 1);
  expect(refused).toMatchObject({ status: 413, body: expect.stringContaining('The file is too large') });
  socket.destroy();
});
