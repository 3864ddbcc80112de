/** A terminal and npm may both send Ctrl-C on, so a second signal within this time counts as the same one. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_INTERVAL_MS = 500;

/** The parts of a process that stopping needs. */
export interface StopHost {
  readonly env: NodeJS.ProcessEnv;
  readonly ppid: number;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * Whether npx runs a command that begins with "signpost". Another program that npx runs may want this process to keep
 * running.
 */
const isRunByNpx = ({ npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: NodeJS.ProcessEnv) =>
  event === 'npx' && /^['"]?signpost/u.test(script);

/**
 * Calls back when the shell between npx and this process has ended. npx sends signals only to that shell, which ends
 * without sending them on.
 */
function watchShell(host: StopHost, onShellEnd: () => void): void {
  const shell = host.ppid;
  const watch = setInterval(() => {
    if (host.ppid === shell) return;
    clearInterval(watch);
    onShellEnd();
  }, PARENT_CHECK_INTERVAL_MS);
  watch.unref();
}

/**
 * Resolves when the process is told to stop: by a signal, or when the npx shell that runs it ends. A signal more than a
 * second after the first ends the process at once.
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

/** Ends the process once its output is written, even if something would keep it running. */
export function exitOnceWritten(host: NodeJS.Process, code: number): void {
  host.exitCode = code;
  host.stdout.write('', () => host.stderr.write('', () => host.exit(code)));
}
