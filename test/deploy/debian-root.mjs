import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './run-command.mjs';

const DEBIAN = 'http://deb.debian.org/debian';
const SECURITY = 'http://deb.debian.org/debian-security';

/** Where this machine gets Debian from; other distributions have no such line. */
function mirrors() {
  const lines = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' });
  const found = (pattern) => lines.split('\n').find((line) => pattern.test(line));
  return {
    debian: (found(/\/debian\/?$/u) ?? DEBIAN).replace(/\/$/u, ''),
    security: (found(/\/debian-security\/?$/u) ?? SECURITY).replace(/\/$/u, ''),
  };
}

/** The program mmdebstrap, unpacked from its package into the folder: nothing is installed on this machine. */
async function fetchMmdebstrap(folder) {
  mkdirSync(folder);
  const download = () => runCommand('apt-get', ['-qq', 'download', 'mmdebstrap'], { cwd: folder });
  await download().catch(async () => {
    await runCommand('apt-get', ['-qq', 'update']);
    await download();
  });
  const [file] = readdirSync(folder);
  await runCommand('dpkg-deb', ['-x', join(folder, file), folder]);
  return join(folder, 'usr/bin/mmdebstrap');
}

/** As the official slim images are set up; it saves time here, too. */
const DPKG = [
  'force-unsafe-io',
  ...['doc', 'man', 'locale'].map((name) => `path-exclude /usr/share/${name}/*`),
];
const APT = ['Acquire::Languages "none";', 'Dir::Cache::pkgcache "";', 'Dir::Cache::srcpkgcache "";'];

/** Makes a smallest root of a Debian release, from the mirror that this machine uses. */
export async function makeDebianRoot({ folder, release, target }) {
  const { debian, security } = mirrors();
  const program = await fetchMmdebstrap(join(folder, 'mmdebstrap'));
  await runCommand('perl', [
    program,
    '--mode=root',
    '--variant=minbase',
    '--keyring=/usr/share/keyrings',
    release,
    target,
    debian,
    `deb ${debian} ${release}-updates main`,
    `deb ${security} ${release}-security main`,
  ]);
  writeFileSync(join(target, 'etc/dpkg/dpkg.cfg.d/image'), `${DPKG.join('\n')}\n`);
  writeFileSync(join(target, 'etc/apt/apt.conf.d/image'), `${APT.join('\n')}\n`);
}

/** Puts Node, its headers and npm where the official image has them. */
export function addNode(root, { nodeFolder, npmFolder }) {
  for (const part of ['bin', 'include', 'share']) {
    const source = join(nodeFolder, part);
    if (existsSync(source)) cpSync(source, join(root, 'usr/local', part), { recursive: true });
  }
  const npm = join(root, 'usr/local/lib/node_modules/npm');
  mkdirSync(dirname(npm), { recursive: true });
  cpSync(npmFolder, npm, { recursive: true });
  for (const name of ['npm', 'npx']) {
    const words = `#!/bin/sh\nexec /usr/local/bin/node ${npm.slice(root.length)}/bin/${name}-cli.js "$@"\n`;
    writeFileSync(join(root, 'usr/local/bin', name), words, { mode: 0o755 });
  }
}
