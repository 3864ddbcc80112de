/** A terminal and npm both pass Ctrl-C on, so a second signal within this time is the same one. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_INTERVAL_MS = 500;

/** The parts of a process that this needs. */
export interface StopHost {
  readonly env: NodeJS.ProcessEnv;
  readonly ppid: number;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

/** Whether npx runs this very command. Other programs that npx runs may mean to leave us running. */
const isRunByNpx = ({ npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: NodeJS.ProcessEnv) =>
  event === 'npx' && /^['"]?signpost/u.test(script);

/**
 * Calls back when the shell that npx starts between itself and us has ended. npx sends signals only to that shell,
 * which ends and passes nothing on.
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
 * Resolves when the process is told to stop: by a signal, or when the npx shell that runs it ends. A later signal ends
 * the process at once.
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

/** Ends the process after its output is written, even if something would keep it running. */
export function exitOnceWritten(host: NodeJS.Process, code: number): void {
  host.exitCode = code;
  host.stdout.write('', () => host.stderr.write('', () => host.exit(code)));
}
