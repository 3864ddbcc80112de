import { PasswordHasher } from '../accounts/password.js';
import { readSignUp } from '../accounts/sign-up.js';
import type { CaptureQueue } from '../capture/capture-queue.js';
import { findAssets } from '../console/layout/assets.js';
import { closeAfterResponses } from '../http/connections.js';
import { Metrics } from '../http/metrics.js';
import { DisposalStack } from '../platform/disposal-stack.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bootstrapInstallation, type BootstrapCredentials } from './bootstrap.js';
import type { Config } from './config.js';
import { type AppDeps, openCore } from './core.js';
import { SERVER_FOLDER } from './data-folder.js';
import { chooseIssuer, listen } from './addresses.js';
import { openNotifications } from './mail.js';
import { startRepeatingJobs } from './repeating-jobs.js';
import { createServer, type ServerState } from './server.js';

/** A running server. */
export interface App {
  /** The configured public URL of the server, or else `localUrl`; without a slash at the end. */
  readonly url: string;
  /** The URL at which this machine reaches the server. Its front page can be captured at this URL. */
  readonly localUrl: string;
  /** The credentials created at this start; undefined if there were accounts already. They cannot be shown again. */
  readonly bootstrapCredentials: BootstrapCredentials | undefined;
  readonly directories: DirectoryStore;
  /** Whether sign-up was open when the server started. */
  readonly isSignUpOpen: boolean;
  readonly capture: CaptureQueue;
  /**
   * Stops in this order: keeps serving for the stop delay, so that load balancers notice; stops the repeating jobs;
   * finishes running captures and closes the browser; stops listening; stores counts; closes the database and files.
   */
  close(): Promise<void>;
}

/** Composes the parts of the server and makes it listen. If that fails, closes everything that was opened. */
export async function startApp(config: Config, deps: AppDeps): Promise<App> {
  const open = new DisposalStack();
  try {
    return await compose(config, deps, open);
  } catch (error) {
    await open.close().catch((err: unknown) => deps.log.error({ err }, 'A part did not close.'));
    throw error;
  }
}

async function compose(config: Config, deps: AppDeps, open: DisposalStack): Promise<App> {
  const { pause, randomBytes, passwordCost, log, signal } = deps;
  // A configured issuer is set before the server listens: without an issuer, it would reject valid tokens.
  const state: ServerState = { ownUrl: '', issuer: config.publicUrl ?? '', isAccepting: true };
  const metrics = new Metrics();
  const core = await openCore(config, { ...deps, metrics }, () => state.issuer, open);
  signal?.throwIfAborted();
  const { capture, directories } = core;
  const { storage, keyPepper, clock } = core.installation;
  const assets = findAssets(SERVER_FOLDER);
  const passwordHasher = new PasswordHasher(passwordCost);
  const notifications = await openNotifications(config, { log, publicUrl: () => state.issuer }, open);
  const server = createServer(config, deps, core, {
    state,
    assets,
    metrics,
    passwordHasher,
    notifications,
  });
  open.add(async () => {
    // The capture queue is closed first, while the server still listens: running captures finish, and new ones are
    // rejected because the server stops.
    await capture.close();
    await server.close();
  });

  state.ownUrl = await listen(server, config);
  state.issuer = await chooseIssuer(storage.db, config, state.ownUrl, log);
  signal?.throwIfAborted();
  const isSignUpOpen = await readSignUp(storage, config);
  // Comes after everything that may fail, because the new password and key can be shown only once.
  const bootstrapCredentials = await bootstrapInstallation({
    db: storage.db,
    keyPepper,
    randomBytes,
    clock,
    passwordHasher,
    audit: core.audit,
  });
  for (const path of ['/', ...[...assets.files.keys()].map((name) => assets.prefix + name)])
    capture.allowPage(state.ownUrl + path);
  // Added last, so that the jobs stop before anything that they use is closed.
  const jobs = startRepeatingJobs(core, notifications, log);
  open.add(() => jobs.stop());
  return {
    url: config.publicUrl ?? state.ownUrl,
    localUrl: state.ownUrl,
    bootstrapCredentials,
    directories,
    isSignUpOpen,
    capture,
    close: async () => {
      state.isAccepting = false;
      closeAfterResponses(server.server);
      if (config.stopDelayMs > 0) await pause(config.stopDelayMs);
      await open.close();
    },
  };
}
