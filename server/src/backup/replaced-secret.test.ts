import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceSecret } from '../app/replace-secret.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import {
  clock,
  createTestInstallation,
  OTHER_SECRET,
  type TestInstallation,
} from '../../../test/fixtures/backup/test-installation.js';
import {
  allAccepted,
  fillInstallation,
  useCredentials,
} from '../../../test/fixtures/backup/used-installation.js';
import { backUpInstallation } from './back-up-installation.js';
import type { InstallationLocation } from './installation-location.js';
import { restoreInstallation } from './restore-installation.js';

let installation: TestInstallation;
let elsewhere: TestInstallation;
let location: InstallationLocation;
let path: string;

beforeEach(async () => {
  installation = await createTestInstallation();
  elsewhere = await createTestInstallation();
  ({ location } = installation);
  path = join(installation.folder, 'signpost.backup');
});
afterEach(async () => {
  await installation.remove();
  await elsewhere.remove();
});

async function replace(from = location) {
  const newSecretFile = join(installation.folder, 'new-secret');
  await writeFile(newSecretFile, OTHER_SECRET);
  return replaceSecret({ location: from, newSecretFile, clock, randomBytes });
}

const replaced = () => ({ ...location, secret: OTHER_SECRET });
const backUp = (from: InstallationLocation) =>
  backUpInstallation({ location: from, path, force: false, clock, randomBytes });
const restore = (to: InstallationLocation, force = false) =>
  restoreInstallation({ location: to, path, force, randomBytes });
const withoutSession = { ...allAccepted, session: undefined };

test('a backup from before the secret was replaced is restored with the old secret, and rejected with the new one', async () => {
  const held = await fillInstallation(location);
  await backUp(location);
  const { oldFingerprint, newFingerprint } = await replace();
  const rejection = restore({ ...elsewhere.location, secret: OTHER_SECRET });
  await expect(rejection).rejects.toThrow(
    `the one in SIGNPOST_SECRET: to that whose fingerprint begins with ${oldFingerprint.slice(0, 8)}, and not with ${newFingerprint.slice(0, 8)}.`,
  );
  await expect(restore(location, true)).rejects.toThrow(/or its secret was replaced since/u);
  expect(await useCredentials(replaced(), held)).toEqual(allAccepted);
  await restore(elsewhere.location);
  expect(await useCredentials(elsewhere.location, held)).toEqual(withoutSession);
});

test('if a backup needs the secret that was replaced, the error names the file that keeps it', async () => {
  const own = { ...location, secret: undefined };
  await fillInstallation(own);
  await backUp(own);
  const { keptFile } = await replace(own);
  await expect(restore(own, true)).rejects.toThrow(`It is kept in ${keptFile}: set SIGNPOST_SECRET_FILE`);
});

test('a backup made after the secret was replaced needs the new secret, and its keys and tokens work when it is restored', async () => {
  const held = await fillInstallation(location);
  await replace();
  await backUp(replaced());
  await expect(restore(elsewhere.location)).rejects.toThrow(/another secret/u);
  const to = { ...elsewhere.location, secret: OTHER_SECRET };
  await restore(to);
  expect(await useCredentials(to, held)).toEqual(withoutSession);
});
