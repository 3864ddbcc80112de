import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../platform/errors.js';
import { installCommand, readSystemFamily, type SystemFamily } from '../../platform/system-packages.js';

/**
 * Why the browser of this machine does not start, and how to fix it. Plain data that can be passed between threads.
 */
export interface BrowserProblem {
  /** The problem as part of a sentence, such as "the library libnss3.so is missing". */
  readonly why: string;
  /** How to fix the problem, such as a command to run or a setting to change. */
  readonly cure: string;
  /** The most important line of the browser's output or of the error; may be empty. */
  readonly words: string;
  /** The cause, as the metrics name it. */
  readonly reason: 'browser' | 'memory' | 'disk';
}

/**
 * The error that the browser does not start. Its message, which callers get, says how to fix it.
 */
export class BrowserDoesNotStart extends ServiceError {
  readonly problem: BrowserProblem;

  constructor(problem: BrowserProblem, cause?: unknown) {
    const { why, cure, words, reason } = problem;
    super('overloaded', `The browser does not start: ${why}. ${cure}`, {
      detail: words,
      reason,
      retryAfterSeconds: 30,
      ...(cause === undefined ? {} : { cause }),
    });
    this.problem = problem;
  }
}

/** How an operator gets a browser that starts. */
export const BROWSER_ADVICE =
  'On the server, run "npx playwright install --with-deps chromium-headless-shell", or set SIGNPOST_BROWSER_PATH to ' +
  'the program of another Chromium.';

/**
 * Debian packages with libraries that browsers need. Debian 13 and Ubuntu 24.04 add "t64" to some of the names,
 * but also find the packages by these names.
 */
const DEBIAN_LIBRARIES: Readonly<Record<string, string>> = {
  'libasound.so.2': 'libasound2',
  'libatk-1.0.so.0': 'libatk1.0-0',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0',
  'libatspi.so.0': 'libatspi2.0-0',
  'libcairo.so.2': 'libcairo2',
  'libcups.so.2': 'libcups2',
  'libdbus-1.so.3': 'libdbus-1-3',
  'libdrm.so.2': 'libdrm2',
  'libexpat.so.1': 'libexpat1',
  'libfontconfig.so.1': 'libfontconfig1',
  'libfreetype.so.6': 'libfreetype6',
  'libgbm.so.1': 'libgbm1',
  'libglib-2.0.so.0': 'libglib2.0-0',
  'libgobject-2.0.so.0': 'libglib2.0-0',
  'libnspr4.so': 'libnspr4',
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libpango-1.0.so.0': 'libpango-1.0-0',
  'libsmime3.so': 'libnss3',
  'libudev.so.1': 'libudev1',
  'libX11.so.6': 'libx11-6',
  'libxcb.so.1': 'libxcb1',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libxkbcommon.so.0': 'libxkbcommon0',
  'libXrandr.so.2': 'libxrandr2',
};

/**
 * Part of a sentence that says how many processes this control group may have; empty if there is no limit or it cannot
 * be read.
 */
async function processLimit(): Promise<string> {
  const text = await readFile('/sys/fs/cgroup/pids.max', 'utf8').catch(() => '');
  return /^\d+$/u.test(text.trim()) ? `, of which this control group may have ${text.trim()}` : '';
}

function missingLibrary(library: string, family: SystemFamily) {
  const debian = DEBIAN_LIBRARIES[library];
  const cure =
    family === 'debian' && debian !== undefined
      ? `On the server: ${installCommand(family, [debian])}.`
      : `Install the package with ${library}${family === 'debian' ? ', or run "npx playwright install-deps chromium-headless-shell"' : ''}.`;
  return { why: `the library ${library} is missing`, cure, reason: 'browser' as const };
}

const MAX_WORDS_CHARACTERS = 300;

/**
 * The line of a browser's output that matches `cause`, or otherwise the last line, cut to MAX_WORDS_CHARACTERS; empty
 * if there is no output.
 */
function mostImportantLine(output: string, cause?: RegExp): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = (cause === undefined ? undefined : lines.find((one) => cause.test(one))) ?? lines.at(-1) ?? '';
  return line.slice(0, MAX_WORDS_CHARACTERS);
}

const LIBRARY = /([\w.+-]+\.so(?:\.\d+)*): cannot open shared object file/u;
const SANDBOX = /no usable sandbox|namespace sandbox|setuid sandbox|without --no-sandbox/iu;
const PROCESSES =
  /\bEAGAIN\b|pthread_create|resource temporarily unavailable|cannot fork|can't start new thread/iu;
const MEMORY = /\bENOMEM\b|cannot allocate memory|out of memory/iu;
const DISK = /\bENOSPC\b|no space left on device|\bEDQUOT\b|disk quota/iu;
const READ_ONLY = /\bEROFS\b|read-only file system/iu;
const NO_PROGRAM = /\bENOEXEC\b|exec format error/iu;

/** Matches the output of a browser that crashed, for example because "ulimit -v" allows it too little memory. */
const CRASH = /trace\/breakpoint trap|^killed$/imu;
const MORE_MEMORY =
  'If the same browser starts elsewhere, it has too little memory here: see "ulimit -v", MemoryMax= in the unit, and the limit of the container.';

/** Finds the cause in the output of a browser that did not start, and says how to fix it. */
export async function explainBrowserStart(output: string, program: string): Promise<BrowserProblem> {
  const family = await readSystemFamily();
  const library = LIBRARY.exec(output)?.[1];
  if (library !== undefined)
    return { ...missingLibrary(library, family), words: mostImportantLine(output, LIBRARY) };
  if (PROCESSES.test(output))
    return {
      why: `the system gives it no more processes or threads${await processLimit()}`,
      cure: 'Raise that limit: TasksMax= in the unit, --pids-limit of the container, or "ulimit -u" of the user.',
      words: mostImportantLine(output, PROCESSES),
      reason: 'browser',
    };
  if (MEMORY.test(output))
    return {
      why: 'there is not enough memory',
      cure: 'Give the machine, the unit or the container more memory, or lower SIGNPOST_CAPTURE_CONCURRENCY.',
      words: mostImportantLine(output, MEMORY),
      reason: 'memory',
    };
  if (DISK.test(output) || READ_ONLY.test(output)) {
    const isFull = DISK.test(output);
    return {
      why: isFull ? 'the disk of the temporary folder is full' : 'the temporary folder cannot be written to',
      cure: 'Make room there, or set TMPDIR to a folder on another disk.',
      words: mostImportantLine(output, isFull ? DISK : READ_ONLY),
      reason: 'disk',
    };
  }
  if (SANDBOX.test(output))
    return {
      why: 'its sandbox cannot start on this machine',
      cure: 'Allow unprivileged user namespaces (on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0), or, if only trusted pages are captured, set SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes.',
      words: mostImportantLine(output, SANDBOX),
      reason: 'browser',
    };
  if (NO_PROGRAM.test(output))
    return {
      why: `${program} is a program for another kind of machine`,
      cure: BROWSER_ADVICE,
      words: mostImportantLine(output, NO_PROGRAM),
      reason: 'browser',
    };
  const words = mostImportantLine(output);
  const why = words === '' ? `${program} ended without a word` : `${program} ended as soon as it had started`;
  const cure = words === '' || CRASH.test(output) ? `${BROWSER_ADVICE} ${MORE_MEMORY}` : BROWSER_ADVICE;
  return { why, cure, words, reason: 'browser' };
}

/** The error if no browser program was found at all. */
export const noBrowser = (): BrowserDoesNotStart =>
  new BrowserDoesNotStart({
    why: 'none was found on this machine',
    cure: BROWSER_ADVICE,
    words: '',
    reason: 'browser',
  });
