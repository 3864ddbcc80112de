import { readFile } from 'node:fs/promises';

/** Groups of systems that use the same command to install packages. */
export type SystemFamily = 'debian' | 'alpine' | 'fedora' | 'other';

const FAMILIES: readonly (readonly [SystemFamily, RegExp])[] = [
  ['debian', /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/mu],
  ['alpine', /^ID(?:_LIKE)?=.*\balpine\b/mu],
  ['fedora', /^ID(?:_LIKE)?=.*\b(?:fedora|rhel|centos)\b/mu],
];

const COMMANDS: Readonly<Record<SystemFamily, string>> = {
  debian: 'apt-get install',
  alpine: 'apk add',
  fedora: 'dnf install',
  other: 'install',
};

/**
 * The family of this system, according to its os-release file; `other` if the file names no other family or cannot be
 * read.
 */
export async function readSystemFamily(file = '/etc/os-release'): Promise<SystemFamily> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return FAMILIES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

/** The command that installs packages on a system of this family. For `other`, only "install" and the packages. */
export const installCommand = (family: SystemFamily, packages: readonly string[]): string =>
  `${COMMANDS[family]} ${packages.join(' ')}`;
