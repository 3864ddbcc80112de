import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installNode, NODE_VERSION } from '../../scripts/install-node.mjs';
import { isRootOnDebian } from './engine.mjs';
import { runCommand } from './run-command.mjs';

const DEBIAN = 'http://deb.debian.org/debian';
const SECURITY = 'http://deb.debian.org/debian-security';
const PULL_TIMEOUT_MS = 5 * 60_000;

/** The mirrors from which this machine gets Debian, or the usual ones if this machine does not use Debian. */
function mirrors() {
  const lines = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' });
  const find = (pattern) => lines.split('\n').find((line) => pattern.test(line));
  return {
    debian: (find(/\/debian\/?$/u) ?? DEBIAN).replace(/\/$/u, ''),
    security: (find(/\/debian-security\/?$/u) ?? SECURITY).replace(/\/$/u, ''),
  };
}

/** Unpacks mmdebstrap from its package, so that it need not be installed. Returns its path. */
async function fetchMmdebstrap(folder) {
  mkdirSync(folder);
  const download = () => runCommand('apt-get', ['-qq', 'download', 'mmdebstrap'], { cwd: folder });
  await download().catch(async () => {
    await runCommand('apt-get', ['-qq', 'update']);
    await download();
  });
  await runCommand('dpkg-deb', ['-x', join(folder, readdirSync(folder)[0]), folder]);
  return join(folder, 'usr/bin/mmdebstrap');
}

/** The settings of the official images: packages without documentation, and no archive of a package is kept. */
const DPKG = ['doc', 'man', 'locale'].map((name) => `path-exclude /usr/share/${name}/*`);
const APT = ['DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };', 'Acquire::Languages "none";'];

/** Puts Node.js, its headers and npm where the official image has them, with this machine's npm registry. */
async function addNode(target) {
  const { nodeFolder } = await installNode();
  for (const part of ['bin', 'include', 'share'])
    if (existsSync(join(nodeFolder, part)))
      cpSync(join(nodeFolder, part), join(target, 'usr/local', part), { recursive: true });
  const npmConfig = (...words) => execFileSync('npm', words, { encoding: 'utf8' }).trim();
  const npm = join(target, 'usr/local/lib/node_modules/npm');
  cpSync(join(npmConfig('root', '--global'), 'npm'), npm, { recursive: true });
  for (const name of ['npm', 'npx']) {
    const script = `#!/bin/sh\nexec /usr/local/bin/node /usr/local/lib/node_modules/npm/bin/${name}-cli.js "$@"\n`;
    writeFileSync(join(target, 'usr/local/bin', name), script, { mode: 0o755 });
  }
  const settings = [`registry=${npmConfig('config', 'get', 'registry')}`];
  if (process.env.NODE_EXTRA_CA_CERTS) {
    cpSync(process.env.NODE_EXTRA_CA_CERTS, join(target, 'usr/local/etc/npm-ca.crt'), { dereference: true });
    settings.push('cafile=/usr/local/etc/npm-ca.crt');
  }
  writeFileSync(join(target, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`);
}

/** Makes a minimal root of a Debian release with Node.js, and imports it as an image. */
async function importStandIn({ engine, folder, release, tag }) {
  const { debian, security } = mirrors();
  const target = join(folder, 'base');
  await runCommand('perl', [
    await fetchMmdebstrap(join(folder, 'mmdebstrap')),
    ...['--mode=root', '--variant=minbase', '--keyring=/usr/share/keyrings', release, target, debian],
    `deb ${debian} ${release}-updates main`,
    `deb ${security} ${release}-security main`,
  ]);
  writeFileSync(join(target, 'etc/dpkg/dpkg.cfg.d/image'), `${DPKG.join('\n')}\n`);
  writeFileSync(join(target, 'etc/apt/apt.conf.d/image'), `${APT.join('\n')}\n`);
  await addNode(target);
  const archive = join(folder, 'base.tar');
  await runCommand('tar', ['--create', `--file=${archive}`, `--directory=${target}`, '.']);
  await engine.call('import', archive, tag);
}

/**
 * Returns the base image that the Dockerfile names, pulled from its registry. If it cannot be pulled, a Debian root
 * with Node.js and npm stands in for it. That needs Debian and root, else the result is undefined, and checks with the
 * Dockerfile's major version of Node.js, else this throws.
 */
export async function baseImage({ engine, root, folder }) {
  const [, named] = /^ARG NODE_IMAGE=(\S+)$/mu.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const [, major, release] = /^node:(\d+)-(\w+)-slim$/u.exec(named);
  const official = `docker.io/library/${named}`;
  const pulled = await runCommand(engine.name, ['pull', official], { timeout: PULL_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
  if (pulled) return { image: official, isOfficial: true };
  if (!(await isRootOnDebian())) return undefined;
  if (!NODE_VERSION.startsWith(`${major}.`))
    throw new Error(`The Dockerfile has Node.js ${major}, the checks have ${NODE_VERSION}.`);
  const tag = `localhost/signpost-base:${release}-node-${NODE_VERSION}`;
  const exists = await engine.call('image', 'inspect', tag).then(
    () => true,
    () => false,
  );
  if (!exists) await importStandIn({ engine, folder, release, tag });
  return { image: tag, isOfficial: false };
}
