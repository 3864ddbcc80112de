import { once } from 'node:events';
import { createServer as createTcpServer, type Server } from 'node:net';
import { connectionProblem } from './connection-problem.js';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

/** Makes an error of OpenSSL as Node.js reports it. */
const openSsl = (reason: string) =>
  coded('EPROTO', `write EPROTO 00D0:error:0A000102:SSL routines:ssl_choose_client_version:${reason}:`);

test.each([
  [openSsl('unsupported protocol'), /older than 1\.2/u],
  [openSsl('tlsv1 alert protocol version'), /older than 1\.2/u],
  [coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), /older than 1\.2/u],
  [coded('ERR_SSL_NO_PROTOCOLS_AVAILABLE'), /older than 1\.2/u],
  [openSsl('sslv3 alert handshake failure'), /too old or too weak/u],
  [openSsl('dh key too small'), /too old or too weak/u],
  [openSsl('wrong version number'), /http:\/\/ in its address instead of https:\/\//u],
  [coded('ERR_SSL_PACKET_LENGTH_TOO_LONG'), /does not speak TLS/u],
  [openSsl('something new'), /handshake failed/u],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), /NODE_EXTRA_CA_CERTS/u],
  [coded('CERT_HAS_EXPIRED'), /expired/u],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), /another name/u],
  [coded('HPE_INVALID_CONSTANT'), /https:\/\/ in its address/u],
  [coded('ECONNREFUSED'), /^nothing listens there \(ECONNREFUSED\)$/u],
  [coded('ENOTFOUND'), /name is not found/u],
  [new Error('socket hang up'), /without an answer/u],
  [new Error('Something else.'), /^Something else$/u],
  ['no error', /^the request failed$/u],
])('says why a connection failed with the error %s', (error, words) => {
  expect(connectionProblem(error)).toMatch(words);
});

test('names the cause inside another error, and the message of an error that is its own cause', () => {
  const wrapped = new TypeError('fetch failed', { cause: coded('ECONNREFUSED') });
  expect(connectionProblem(wrapped)).toMatch(/nothing listens there/u);
  const circle = new Error('a circle');
  circle.cause = circle;
  expect(connectionProblem(circle)).toBe('a circle');
});

describe('the reason of a failed request', () => {
  let server: Server;
  let port: number;
  /** Starts a server that ends each connection with these bytes as soon as it receives something. */
  const answering = async (bytes: string) => {
    server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  };
  afterEach(() => server.close());

  const problemOf = (url: string) => fetch(url).then(() => 'no problem', connectionProblem);

  test('says that a server does not speak TLS if it answers an https request in plain HTTP', async () => {
    await answering('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    await expect(problemOf(`https://127.0.0.1:${port}/`)).resolves.toMatch(/does not speak TLS/u);
  });

  test('says that TLS is older than 1.2 if a server ends the handshake with the alert "protocol version"', async () => {
    // The TLS alert "protocol version", with which a server that knows only old versions ends a handshake.
    await answering(String.fromCodePoint(0x15, 3, 1, 0, 2, 2, 70));
    await expect(problemOf(`https://127.0.0.1:${port}/`)).resolves.toMatch(/older than 1\.2/u);
  });
});
