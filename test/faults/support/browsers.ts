import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { descendantsOf } from '../../fixtures/processes.js';

const CHROMIUM = /chrom|headless|edge/iu;

const wordsOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');

/** Whether this is the browser itself, not a wrapper script or one of the browser's helpers. */
async function isBrowser(pid: number): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
  const words = await wordsOf(pid);
  const name = basename(program);
  return CHROMIUM.test(name) && !name.includes('crashpad') && words !== '' && !words.includes('--type=');
}

/** The browsers that a process controls (Linux). */
export async function browsersOf(pid: number): Promise<readonly number[]> {
  const pids = (await descendantsOf(pid)).map((process) => process.pid);
  const areBrowsers = await Promise.all(pids.map(isBrowser));
  return pids.filter((_pid, index) => areBrowsers[index] === true);
}

/** The renderer processes of the pages open in the browsers that a process controls (Linux). */
export async function pagesOf(pid: number): Promise<readonly number[]> {
  const pids = (await descendantsOf(pid)).map((process) => process.pid);
  const words = await Promise.all(pids.map(wordsOf));
  return pids.filter((_pid, index) => words[index]?.includes('--type=renderer'));
}
