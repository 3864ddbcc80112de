import type { KeyObject } from 'node:crypto';
import { createAccountService } from '../accounts/account-service.js';
import { checkDisplayName } from '../accounts/display-name.js';
import { createSessionStore } from '../accounts/session-store.js';
import type { ConsoleDeps } from '../console/routing/console-deps.js';
import { createKeyService } from '../keys/key-service.js';
import type { Semaphore } from '../platform/semaphore.js';
import type { Database } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import { createReturnUrlService } from '../tokens/return-urls.js';
import { createUsageService } from '../usage/usage-service.js';

type Services = 'accounts' | 'keys' | 'usage' | 'returnUrls' | 'sessions';

interface ConsoleParts extends Omit<ConsoleDeps, Services> {
  readonly db: Database;
  readonly keyPepper: KeyObject;
  readonly throttle: Throttle;
  readonly passwordSemaphore: Semaphore;
}

/** What the pages work on: in place of the database, the services of the domain. */
export function createConsoleDeps({
  db,
  keyPepper,
  throttle,
  passwordSemaphore,
  ...deps
}: ConsoleParts): ConsoleDeps {
  const { clock, randomBytes } = deps;
  return {
    ...deps,
    accounts: createAccountService({ db, clock, randomBytes, throttle, passwordSemaphore }),
    sessions: createSessionStore({ db, clock }),
    keys: createKeyService({ db, clock, randomBytes, keyPepper }),
    usage: createUsageService({ db, clock }),
    returnUrls: createReturnUrlService({ db, clock, randomBytes, checkName: checkDisplayName }),
  };
}
