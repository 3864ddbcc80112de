import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { temporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { makeCertificate } from '../../../test/fixtures/storage/certificates.js';
import { readExtraCertificates } from '../platform/outbound/trusted-certificates.js';
import { connectionOf, addExtraCaFile } from '../storage/postgresql/connection-url.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let own: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  const { cert } = await makeCertificate(folder.dataDir, 'authority', { subject: 'Company' });
  file = cert;
  own = (await readFile(cert, 'utf8')).trim();
});
afterEach(() => folder.remove());

const URL_WITH_TLS = 'postgres://me@db.example/signpost?sslmode=verify-full';
const certificatesOf = async (url: string) => {
  const { ssl } = await connectionOf(addExtraCaFile(url, file) ?? '');
  return ssl === undefined || ssl === false ? undefined : String(ssl.ca);
};

test('a TLS connection to PostgreSQL trusts the extra certificates beside the public ones', async () => {
  const ca = await certificatesOf(URL_WITH_TLS);
  expect(ca).toContain(own);
  expect(ca).toContain(rootCertificates[0]);
  const { connectionString } = await connectionOf(addExtraCaFile(URL_WITH_TLS, file) ?? '');
  expect(connectionString).toBe('postgres://me@db.example/signpost');
});

test('a connection to PostgreSQL does not use the extra certificates if the database URL names one of its own or has no TLS', async () => {
  const other = await makeCertificate(folder.dataDir, 'other', { subject: 'Other' });
  expect(await certificatesOf(`${URL_WITH_TLS}&sslrootcert=${other.cert}`)).not.toContain(own);
  expect(await certificatesOf('postgres://me@db.example/signpost')).toBeUndefined();
});

test('rejects a file of extra certificates that holds none, and names it; also rejects one that cannot be read', async () => {
  const empty = join(folder.dataDir, 'empty.pem');
  await writeFile(empty, 'nothing');
  expect(() => readExtraCertificates(empty)).toThrow(/empty\.pem, which SIGNPOST_EXTRA_CA_FILE names/u);
  expect(() => readExtraCertificates(join(folder.dataDir, 'missing.pem'))).toThrow(/cannot be read/u);
});
