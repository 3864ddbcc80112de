import type { Account } from '../../accounts/account.js';
import type { Project } from '../../accounts/project.js';
import type { Key } from '../../keys/key.js';
import type { Limits } from '../../usage/rate-limit.js';
import { limitsInForce } from '../../usage/read-key-usage.js';
import { endedAtMs } from '../../keys/key.js';
import { KeyActions } from '../keys/key-actions.js';
import { formatLimits, KeyLink, OlderEndedKeys } from '../keys/key-display.js';
import { LimitFields, limitFieldId } from '../keys/limit-fields.js';
import type { KeysOfProject, KeysByProject } from '../../keys/find-keys.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Alert, Form } from '../layout/form.js';
import { Day, formatCount, Moment, Timestamp } from '../layout/formatting.js';
import { Done } from '../layout/notices.js';
import { usePageState } from '../layout/page-state.js';
import type { PageContext } from '../routing/page-context.js';
import { accountKeyPath, accountKeysPath, requestsPath } from './account-route.js';
import { pageCount, PageLinks, type Paging, pagingAt, readPaging } from '../layout/paging.js';

const KEYS_PER_PAGE = 20;

/** The page of an account's live keys that is shown. */
interface PageOfKeys {
  readonly paging: Paging;
  readonly keys: readonly Key[];
  /** The id of the changed key, which the address names after a change; otherwise empty. */
  readonly changedKeyId: string;
}

/**
 * The page of the list with the key whose limits were just changed or rejected, or otherwise the page in the query.
 */
export function pageOfKeys(
  { request }: PageContext,
  live: readonly Key[],
  rejectedKeyId?: number,
): PageOfKeys {
  const { page, key } = formFields(request.query, ['page', 'key']);
  const wantedId = rejectedKeyId === undefined ? key : String(rejectedKeyId);
  const position = live.findIndex(({ id }) => String(id) === wantedId);
  const asked = position < 0 ? readPaging(page, KEYS_PER_PAGE) : pagingAt(position, KEYS_PER_PAGE);
  const lastPage = pageCount(live.length, asked);
  const paging = asked.page > lastPage ? readPaging(String(lastPage), KEYS_PER_PAGE) : asked;
  const keys = live.slice(paging.offset, paging.offset + paging.limit);
  return { paging, keys, changedKeyId: key };
}

/** The limits that were entered for a key and rejected. */
export interface RejectedLimits {
  readonly keyId: number;
  readonly problems: FormProblems;
}

/** The element id of a key on the page. */
export const keyAnchor = (keyId: number) => `key-${keyId}`;

/** The message shown at a key after each change. */
const DONE = new Map([
  ['key-limits', 'Its limits are changed, from the next request on.'],
  ['key-disabled', 'It is disabled: its requests are refused until an operator enables it.'],
  ['key-enabled', 'It is enabled: it works from its next request on.'],
]);

function ChangedNotice({ ownKey, changedKeyId }: { readonly ownKey: Key; readonly changedKeyId: string }) {
  const { doneCode } = usePageState();
  const sentence = DONE.get(doneCode);
  if (sentence === undefined || String(ownKey.id) !== changedKeyId) return null;
  return (
    <Done>
      <code>{ownKey.prefix}…</code>: {sentence}
    </Done>
  );
}

interface LimitsFormProps {
  readonly accountId: string;
  readonly keyOfForm: Key;
  readonly defaultLimits: Limits;
  readonly rejected: RejectedLimits | undefined;
}

/** The limits of one key, and the form to change them, which is open if it was rejected. */
function LimitsForm({
  accountId,
  keyOfForm: { id, prefix, ...limits },
  defaultLimits,
  rejected,
}: LimitsFormProps) {
  const problems = rejected?.keyId === id ? rejected.problems : undefined;
  return (
    <details class="operator-limits" open={problems !== undefined}>
      <summary>
        {formatLimits(limitsInForce(limits, defaultLimits))}: change
        <span class="visually-hidden"> the limits of {prefix}</span>
      </summary>
      <Form action={`${accountKeyPath(accountId, id)}/limits`} class="row">
        <LimitFields of={id} limits={limits} problems={problems} />
        <button type="submit" class="secondary">
          Set limits<span class="visually-hidden"> of {prefix}</span>
        </button>
      </Form>
    </details>
  );
}

interface AccountKeysProps {
  readonly account: Account;
  readonly projects: readonly Project[];
  readonly keys: KeysByProject;
  /** The part of the live keys that is shown. */
  readonly shown: PageOfKeys;
  readonly defaultLimits: Limits;
  readonly rejected: RejectedLimits | undefined;
}

interface ProjectKeysProps extends Pick<
  AccountKeysProps,
  'account' | 'shown' | 'defaultLimits' | 'rejected'
> {
  readonly name: string;
  readonly keys: KeysOfProject;
}

/** A notice at the top of the page which says that limits were rejected, with a link to their fields. */
function RejectedNotice({ keys, rejected }: Pick<AccountKeysProps, 'keys' | 'rejected'>) {
  const field = Object.keys(rejected?.problems.fields ?? {})[0];
  const key = keys.live.find(({ id }) => id === rejected?.keyId);
  if (field === undefined || key === undefined) return null;
  return (
    <Alert hasFocus={false}>
      The limits of <code>{key.prefix}</code> were not changed:{' '}
      <a href={`#${limitFieldId(key.id, field)}`}>see what is wrong</a>.
    </Alert>
  );
}

function ProjectKeys({
  account,
  name,
  keys: { live, ended },
  shown,
  defaultLimits,
  rejected,
}: ProjectKeysProps) {
  const onPage = live.filter((key) => shown.keys.includes(key));
  return (
    <section class="card">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {live.length > 0 ? null : <p class="muted">No live keys.</p>}
      {onPage.map((key) => (
        <div key={key.id} id={keyAnchor(key.id)} class="operator-key">
          <ChangedNotice ownKey={key} changedKeyId={shown.changedKeyId} />
          <div class="operator-key-head">
            <KeyLink ownKey={key} href={requestsPath(account.id, key.id)} />
            {key.disabledBy === null ? null : (
              <span class="badge">
                disabled by {key.disabledBy === 'operator' ? 'an operator' : 'the owner'}
              </span>
            )}
            <span class="muted">
              made <Day timeMs={key.createdAtMs} />,{' '}
              {key.lastUsedAtMs === null ? (
                'never used'
              ) : (
                <>
                  last used <Moment timeMs={key.lastUsedAtMs} />
                </>
              )}
            </span>
            <KeyActions ownKey={key} path={accountKeyPath(account.id, key.id)} by="operator" />
          </div>
          <LimitsForm
            accountId={account.id}
            keyOfForm={key}
            defaultLimits={defaultLimits}
            rejected={rejected}
          />
        </div>
      ))}
      {ended.count === 0 ? null : (
        <details>
          <summary>
            {`${formatCount(ended.count)} revoked or ended ${ended.count === 1 ? 'key' : 'keys'}`}
          </summary>
          <ul>
            {ended.shown.map((key) => (
              <li key={key.id}>
                <KeyLink ownKey={key} href={requestsPath(account.id, key.id)} /> {key.state}{' '}
                <Timestamp timeMs={endedAtMs(key) ?? 0} />
              </li>
            ))}
          </ul>
          <OlderEndedKeys ended={ended} />
        </details>
      )}
    </section>
  );
}

/** The projects of an account with their keys, and the keys' limits. */
export function AccountKeys({ account, projects, keys, shown, defaultLimits, rejected }: AccountKeysProps) {
  // Shows projects without live keys only on the first page.
  const isOnPage = ({ id }: Project) => {
    const { live } = keys.ofProject(id);
    return live.length === 0 ? shown.paging.page === 1 : live.some((key) => shown.keys.includes(key));
  };
  return (
    <section aria-labelledby="projects">
      <h2 id="projects">Projects and keys</h2>
      <RejectedNotice keys={keys} rejected={rejected} />
      {projects.length === 0 ? (
        <p class="muted">
          No projects yet. The owner of the account makes them here in the console, or you by the commands{' '}
          <code>signpost project create</code> and <code>signpost key create</code>.
        </p>
      ) : (
        <p class="muted">
          A limit is a whole number, or the word <code>unlimited</code>, or <code>default</code>: at present{' '}
          {formatLimits(defaultLimits)} (UTC).
        </p>
      )}
      {projects.filter(isOnPage).map(({ id, name }) => (
        <ProjectKeys
          key={id}
          account={account}
          name={name}
          keys={keys.ofProject(id)}
          shown={shown}
          defaultLimits={defaultLimits}
          rejected={rejected}
        />
      ))}
      {keys.live.length <= shown.paging.limit ? null : (
        <PageLinks
          paging={shown.paging}
          total={keys.live.length}
          pathOf={(page) => accountKeysPath(account.id, page)}
        />
      )}
    </section>
  );
}
