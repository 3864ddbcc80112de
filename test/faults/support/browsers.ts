import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { descendantsOf } from '../../fixtures/processes.js';

const CHROMIUM = /chrom|headless|edge/iu;

const wordsOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');

/** The browser itself: neither a script that started it nor one of its own helpers. */
async function isBrowser(pid: number): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
  const words = await wordsOf(pid);
  const name = basename(program);
  return CHROMIUM.test(name) && !name.includes('crashpad') && words !== '' && !words.includes('--type=');
}

/** The browsers that a process drives (Linux). */
export async function browsersOf(pid: number): Promise<readonly number[]> {
  const pids = (await descendantsOf(pid)).map((process) => process.pid);
  const areBrowsers = await Promise.all(pids.map(isBrowser));
  return pids.filter((_pid, index) => areBrowsers[index] === true);
}

/** The processes of the pages that are open in the browsers that a process drives (Linux). */
export async function pagesOf(pid: number): Promise<readonly number[]> {
  const pids = (await descendantsOf(pid)).map((process) => process.pid);
  const words = await Promise.all(pids.map(wordsOf));
  return pids.filter((_pid, index) => words[index]?.includes('--type=renderer'));
}
