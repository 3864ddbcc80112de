import type { AccountContext } from '../../accounts/account-context.js';
import type { SecondFactorContext } from '../../accounts/second-factor.js';
import type { SignUpSetting } from '../../accounts/sign-up.js';
import type { AuditReader } from '../../audit/read-audit.js';
import type { BackupDownloads } from '../../backup/backup-download.js';
import type { CaptureQueue } from '../../capture/capture-queue.js';
import type { CaptureQuota } from '../../capture/fair-queue.js';
import type { InboxContext } from '../../inbox/ask-operator.js';
import type { LinkContext } from '../../links/link.js';
import type { Notifications } from '../../mail/notifications.js';
import type { Finding } from '../../platform/finding.js';
import type { RejectionLimit } from '../../http/auth/rejection-limit.js';
import type { StrangerBudget } from '../../http/auth/stranger-budget.js';
import type { CompressedBodies } from '../../http/compressed-bodies.js';
import type { Log } from '../../platform/log.js';
import type { MeteredCalls } from '../../operations/metered-call.js';
import type { ApiKeyOperations } from '../../operations/operations.js';
import type { DirectoryStore } from '../../postcodes/directory-store.js';
import type { DirectoryImports } from '../../postcodes/import/directory-imports.js';
import type { OAuth } from '../../oauth/oauth.js';
import type { TokenContext } from '../../tokens/account-tokens.js';
import type { RotationContext } from '../../tokens/rotate-keys.js';
import type { Limits } from '../../usage/rate-limit.js';
import type { RequestHistory } from '../../usage/read-counts.js';
import type { UsageService } from '../../usage/read-key-usage.js';
import type { KeyContext } from '../../keys/create-key.js';
import type { Documents } from '../library/documents.js';
import type { Contact } from '../layout/page-state.js';

type DomainContexts = AccountContext &
  KeyContext &
  SecondFactorContext &
  InboxContext &
  TokenContext &
  LinkContext &
  RotationContext;

/** The dependencies of the pages. Pages pass `domain` on to the domain's functions, and do not use its database. */
export interface ConsoleDeps {
  /** The dependencies of the domain's functions, without the actor, who differs between requests. */
  readonly domain: Omit<DomainContexts, 'actor'>;
  readonly monotonicMs: () => number;
  /** The key that signs the form tokens, 64 hexadecimal digits. */
  readonly formKey: string;
  readonly oauth: OAuth;
  readonly usage: UsageService;
  readonly history: RequestHistory;
  readonly rejectionLimit: RejectionLimit;
  readonly strangers: StrangerBudget;
  readonly bodies: CompressedBodies;
  readonly documents: Documents;
  readonly audit: AuditReader;
  readonly backups: BackupDownloads;
  /** The secret that a backup needs but does not contain, in words that complete a sentence that begins with "keep". */
  readonly secretToKeep: string;
  readonly directoryImports: DirectoryImports;
  /** Runs the health checks of a running server. */
  readonly examine: () => Promise<readonly Finding[]>;
  readonly notifications: Notifications;
  /** How people reach the operator; undefined if not configured. */
  readonly contact: Contact | undefined;
  readonly calls: MeteredCalls;
  readonly operations: ApiKeyOperations;
  readonly directories: DirectoryStore;
  readonly capture: CaptureQueue;
  readonly defaultLimits: Limits;
  /** The default limits of all keys of an account together. */
  readonly accountLimits: Limits;
  /**
   * The configured capture quota of accounts that have none of their own; undefined if their quota depends on whether
   * there are other accounts.
   */
  readonly capturesPerAccount: CaptureQuota | undefined;
  /** The configured choice whether strangers may create accounts. */
  readonly signUp: SignUpSetting;
  /** Whether the operator pages require a second factor. */
  readonly mustOperatorsHaveSecondFactor: boolean;
  /** The base URL of the server, without a trailing slash. Known once the server listens. */
  readonly publicUrl: () => string;
  /** Whether a request had a proxy's headers although no proxy is trusted. */
  readonly isProxyIgnored: () => boolean;
  /** Whether `publicUrl` is an https address, so that cookies can require it. */
  readonly isHttps: boolean;
  readonly log: Log;
}
