import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificate, makeCertificate } from '../../../../test/fixtures/storage/certificates.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/fixtures/storage/test-database.js';
import { openTlsOfRun } from '../../../../test/fixtures/storage/tls-of-run.js';
import { openStorage } from '../open-storage.js';

/** Users that only this test has, so that their rules affect no other test. */
const TLS_ONLY = 'test_tls_only';
const WITH_CERTIFICATE = 'test_with_certificate';
const PASSWORD = 'pass-word';
const RULES = [
  `hostnossl all ${TLS_ONLY} all reject`,
  `hostssl all ${WITH_CERTIFICATE} all scram-sha-256 clientcert=verify-ca`,
];

let database: TestDatabase;
let server: Awaited<ReturnType<typeof openTlsOfRun>>;
let url: URL;
let folder: string;
let authority: Certificate;
let served: Certificate;
let other: Certificate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-tls-'));
  authority = await makeCertificate(folder, 'authority', { subject: 'The authority' });
  served = await makeCertificate(folder, 'served', { subject: 'db', host: 'localhost', issuer: authority });
  other = await makeCertificate(folder, 'other', { subject: 'Somebody else', host: 'localhost' });
  database = await createTestDatabase();
  if (!('url' in database.location)) throw new Error('These tests are for PostgreSQL.');
  url = new URL(database.location.url);
  server = await openTlsOfRun(url.href);
  for (const user of [TLS_ONLY, WITH_CERTIFICATE])
    await server.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
});
afterAll(async () => {
  await server.switchOff();
  for (const user of [TLS_ONLY, WITH_CERTIFICATE]) await server.query(`DROP ROLE ${user}`);
  await database.remove();
  await rm(folder, { recursive: true });
});

interface Address {
  readonly host?: string;
  readonly user?: string;
  readonly password?: string;
}

function open(
  parameters: Readonly<Record<string, string>>,
  { host = 'localhost', user, password }: Address = {},
) {
  const place = new URL(url);
  place.hostname = host;
  if (user !== undefined) [place.username, place.password] = [user, password ?? PASSWORD];
  for (const [name, value] of Object.entries(parameters)) place.searchParams.set(name, value);
  return openStorage({ url: place.href });
}

async function rejection(...[parameters, address]: Parameters<typeof open>): Promise<string> {
  const error: unknown = await open(parameters, address).then(
    (storage) => storage.close(),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'ServiceError' });
  expect(String(error)).not.toContain(PASSWORD);
  expect(String(error)).not.toContain(url.password);
  return String(error);
}

/** Opens a storage, and returns for each of its connections whether it is encrypted. */
async function encrypted(...[parameters, address]: Parameters<typeof open>): Promise<readonly unknown[]> {
  const storage = await open(parameters, address);
  const queries = await storage.openPreparedQueries();
  await storage.readTimeMs?.();
  await queries.all('SELECT 1', []);
  await storage.db.raw('SELECT 1');
  const rows = await queries.all<{ ssl: boolean }>(
    'SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) ' +
      "WHERE datname = current_database() AND application_name = 'signpost'",
    [],
  );
  await queries.close();
  await storage.close();
  return rows.map(({ ssl }) => ssl);
}

const all = [true, true, true];

test('if the URL asks for TLS, a server without TLS is reported as such, and not used unencrypted', async () => {
  for (const sslmode of ['no-verify', 'require', 'verify-ca', 'verify-full'])
    expect(await rejection({ sslmode })).toMatch(
      /takes no TLS\. Switch it on there \(ssl = on\), or say sslmode=disable/u,
    );
});

describe('with a certificate by a private authority', () => {
  beforeAll(() => server.switchOn('served', served, authority, RULES));
  const sslrootcert = () => authority.cert;

  test('every connection is encrypted if the URL asks for TLS, and none is otherwise', async () => {
    for (const sslmode of ['require', 'verify-full'])
      expect(await encrypted({ sslmode, sslrootcert: sslrootcert() })).toEqual(all);
    expect(await encrypted({ sslrootcert: sslrootcert() })).toEqual(all);
    expect(await encrypted({ sslmode: 'no-verify' })).toEqual(all);
    expect(await encrypted({ sslmode: 'disable' })).toEqual([false, false, false]);
    expect(await encrypted({})).toEqual([false, false, false]);
  });

  test('a host name that is not in the certificate is rejected, unless only the authority is verified', async () => {
    const address = { host: '127.0.0.1' };
    for (const sslmode of ['require', 'verify-full']) {
      const words = await rejection({ sslmode, sslrootcert: sslrootcert() }, address);
      expect(words).toMatch(/at 127\.0\.0\.1:\d+\/\S+ is for another host\..*sslmode=verify-ca/u);
    }
    expect(await encrypted({ sslmode: 'verify-ca', sslrootcert: sslrootcert() }, address)).toEqual(all);
  });

  test('a certificate of an unknown authority is rejected, even if other authorities are trusted', async () => {
    for (const sslmode of ['require', 'verify-ca', 'verify-full']) {
      expect(await rejection({ sslmode })).toMatch(/of an authority that is not known here.*sslrootcert/u);
      expect(await rejection({ sslmode, sslrootcert: other.cert })).toMatch(
        /authority that is not known here/u,
      );
    }
  });

  test('a wrong password is reported as such', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: sslrootcert() };
    const address = { user: TLS_ONLY, password: 'wrong' };
    expect(await rejection(parameters, address)).toMatch(/refuses the user and password/u);
  });

  test('if a database user may only connect with TLS, the error of a connection without TLS says so', async () => {
    expect(await rejection({}, { user: TLS_ONLY })).toMatch(
      /refuses this user without TLS\. Say sslmode=verify-full/u,
    );
    expect(await encrypted({ sslrootcert: sslrootcert() }, { user: TLS_ONLY })).toEqual(all);
  });

  test('if a client certificate is required, it must be one that the server trusts', async () => {
    const address = { user: WITH_CERTIFICATE };
    const mine = await makeCertificate(folder, 'mine', { subject: WITH_CERTIFICATE, issuer: authority });
    const withCertificate = ({ cert, key }: Certificate) => ({
      sslmode: 'verify-full',
      sslrootcert: sslrootcert(),
      sslcert: cert,
      sslkey: key,
    });
    expect(await encrypted(withCertificate(mine), address)).toEqual(all);
    expect(await rejection({ sslrootcert: sslrootcert() }, address)).toMatch(
      /wants a client certificate\. Name it and its key as sslcert and sslkey/u,
    );
    expect(await rejection(withCertificate(other), address)).toMatch(/does not take the client certificate/u);
    expect(await rejection(withCertificate({ cert: mine.cert, key: other.key }), address)).toMatch(
      /sslkey the key of sslcert/u,
    );
  });

  test('a file that cannot be read is named in the error, and one without a certificate is rejected', async () => {
    const missing = join(folder, 'none.crt');
    expect(await rejection({ sslrootcert: missing })).toContain(
      `The file ${missing}, which sslrootcert in SIGNPOST_DATABASE_URL names, cannot be read: there is no such file or folder.`,
    );
    expect(await rejection({ sslrootcert: folder })).toMatch(/cannot be read: it is a folder/u);
    const text = join(folder, 'text');
    await writeFile(text, 'no certificate');
    expect(await rejection({ sslrootcert: text })).toMatch(/sslrootcert and sslcert certificates/u);
  });
});

test('a self-signed certificate is rejected unless it is itself named as the authority', async () => {
  await server.switchOn('other', other, authority, RULES);
  expect(await rejection({ sslmode: 'verify-full' })).toMatch(
    /or with a self-signed one itself, as sslrootcert/u,
  );
  expect(await encrypted({ sslmode: 'verify-full', sslrootcert: other.cert })).toEqual(all);
});
