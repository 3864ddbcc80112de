/** A terminal and npm both pass Ctrl-C on: a signal that follows within this time is the same one. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_INTERVAL_MS = 500;

/** What the program runs in; a process is one. */
export interface StopHost {
  readonly env: NodeJS.ProcessEnv;
  readonly ppid: number;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

/** Whether npx runs this very command; other programs that it runs may be meant to leave us behind. */
const isRunByNpx = ({ npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: NodeJS.ProcessEnv) =>
  event === 'npx' && /^['"]?signpost/u.test(script);

/**
 * Calls back once the shell is gone that npx puts between itself and us. It passes signals to that shell alone, which
 * ends by them and tells nobody.
 */
function watchShell(host: StopHost, onGone: () => void): void {
  const shell = host.ppid;
  const watch = setInterval(() => {
    if (host.ppid === shell) return;
    clearInterval(watch);
    onGone();
  }, PARENT_CHECK_INTERVAL_MS);
  watch.unref();
}

/**
 * Resolves when the process is told to stop: by a signal, or by the end of what npx runs it in. A later signal ends the
 * process at once.
 */
export const stopSignal = (host: StopHost, monotonicMs = () => performance.now()): Promise<void> =>
  new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = () => {
      if (firstAtMs !== undefined && monotonicMs() - firstAtMs > SAME_SIGNAL_MS) host.exit(1);
      firstAtMs ??= monotonicMs();
      resolve();
    };
    host.on('SIGTERM', onSignal);
    host.on('SIGINT', onSignal);
    if (isRunByNpx(host.env)) watchShell(host, resolve);
  });

/** Ends the process with what it has printed written out, whatever else would keep it running. */
export function exitOnceWritten(host: NodeJS.Process, code: number): void {
  host.exitCode = code;
  host.stdout.write('', () => host.stderr.write('', () => host.exit(code)));
}
