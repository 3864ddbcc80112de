import type { Account } from '../../../accounts/account.js';
import type { Project } from '../../../accounts/project.js';
import type { Limits } from '../../../usage/admission.js';
import { limitWords } from '../../keys/limit-words.js';
import { OlderRevokedKeys } from '../../keys/older-revoked-keys.js';
import type { KeysOfProject, ShownKeys } from '../../keys/shown-keys.js';
import { Alert } from '../../layout/form.js';
import { Moment } from '../../layout/moment.js';
import { accountKeysPath } from '../accounts/account-paths.js';
import { PageLinks } from '../page-links.js';
import { keyPath } from './key-path.js';
import { limitFieldId, LimitsForm, type RefusedLimits } from './limits-form.js';
import type { PageOfKeys } from './page-of-keys.js';

interface AccountKeysProps {
  readonly account: Account;
  readonly projects: readonly Project[];
  readonly keys: ShownKeys;
  /** The live ones of them that this page shows. */
  readonly shown: PageOfKeys;
  readonly defaultLimits: Limits;
  readonly refused: RefusedLimits | undefined;
}

interface ProjectKeysProps extends Pick<AccountKeysProps, 'account' | 'shown' | 'refused'> {
  readonly name: string;
  readonly keys: KeysOfProject;
}

/** Says at the top of what was refused, with a way to the field. */
function RefusedNotice({ keys, refused }: Pick<AccountKeysProps, 'keys' | 'refused'>) {
  const field = Object.keys(refused?.problems.fields ?? {})[0];
  const key = keys.live.find(({ id }) => id === refused?.keyId);
  if (field === undefined || key === undefined) return null;
  return (
    <Alert hasFocus={false}>
      The limits of <code>{key.prefix}</code> were not changed:{' '}
      <a href={`#${limitFieldId(key.id, field)}`}>see what is wrong</a>.
    </Alert>
  );
}

function ProjectKeys({ account, name, keys: { live, revoked }, shown, refused }: ProjectKeysProps) {
  const onPage = live.filter((key) => shown.keys.includes(key));
  return (
    <section class="card">
      <h3>{name}</h3>
      {onPage.length > 0 ? null : (
        <p class="muted">{live.length === 0 ? 'No live keys.' : 'Its live keys are on another page.'}</p>
      )}
      {onPage.map((key) => (
        <div key={key.id} class="operator-key">
          <div class="operator-key-head">
            <code>{key.prefix}…</code>
            <span class="muted">
              made <Moment timeMs={key.createdAtMs} />,{' '}
              {key.lastUsedAtMs === null ? (
                'never used'
              ) : (
                <>
                  last used <Moment timeMs={key.lastUsedAtMs} />
                </>
              )}
            </span>
            <a class="button small" href={`${keyPath(account.id, key.id)}/revoke`}>
              Revoke<span class="visually-hidden"> {key.prefix}</span>
            </a>
          </div>
          <LimitsForm accountId={account.id} keyOfForm={key} refused={refused} />
        </div>
      ))}
      {revoked.count === 0 ? null : (
        <details>
          <summary>
            {revoked.count === 1
              ? 'One revoked key'
              : `${revoked.count.toLocaleString('en-GB')} revoked keys`}
          </summary>
          <ul>
            {revoked.shown.map(({ id, prefix, revokedAtMs }) => (
              <li key={id}>
                <code>{prefix}…</code> revoked <Moment timeMs={revokedAtMs ?? 0} />
              </li>
            ))}
          </ul>
          <OlderRevokedKeys revoked={revoked} />
        </details>
      )}
    </section>
  );
}

/** The projects of an account with their keys and the limits of these. */
export function AccountKeys({ account, projects, keys, shown, defaultLimits, refused }: AccountKeysProps) {
  return (
    <section aria-labelledby="projects">
      <h2 id="projects">Projects and keys</h2>
      <RefusedNotice keys={keys} refused={refused} />
      {projects.length === 0 ? (
        <p class="muted">No projects yet. The owner of the account makes them.</p>
      ) : (
        <p class="muted">
          A limit is a whole number, or the word <code>unlimited</code>, or <code>default</code>: at present{' '}
          {limitWords(defaultLimits)} (UTC).
        </p>
      )}
      {projects.map(({ id, name }) => (
        <ProjectKeys
          key={id}
          account={account}
          name={name}
          keys={keys.ofProject(id)}
          shown={shown}
          refused={refused}
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
