import { LIMITS } from '@signpost/contract';
import type { Limits } from '../../usage/rate-limit.js';
import { formatCount } from '../layout/formatting.js';

interface CredentialProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
}

/** A field for what authenticates. It has no name and no form: only the page's script reads it. */
function Credential({ id, label, hint, placeholder }: CredentialProps) {
  return (
    <div class="field" data-credential="" hidden>
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="problem" id={`${id}-problem`} role="alert" />
      <div class="credential">
        <input
          id={id}
          type="password"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={placeholder}
          aria-describedby={`${id}-hint ${id}-problem`}
        />
        <button type="button" class="secondary" aria-pressed="false" data-show={id}>
          Show<span class="visually-hidden"> {label}</span>
        </button>
      </div>
    </div>
  );
}

const perWindow = (count: number | null, window: string) =>
  count === null ? undefined : `${formatCount(count)} requests per ${window}`;

/** How many requests a new key may make, in words. */
function formatKeyLimits({ perMinute, perDay }: Limits): string {
  const limits = [perWindow(perMinute, 'minute'), perWindow(perDay, 'day')].filter(
    (part) => part !== undefined,
  );
  return limits.length === 0 ? 'an unlimited number of requests' : limits.join(' and ');
}

/** The credentials of each interface, and the fields for them. */
export function Authorisation({ limits }: { readonly limits: Limits }) {
  return (
    <section id="authorisation" aria-labelledby="authorisation-title">
      <h2 id="authorisation-title">Authorisation</h2>
      <div class="cards">
        <div class="card">
          <h3>Interface A: an API key</h3>
          <p>
            Every request carries the header <code>X-Api-Key</code>. A key belongs to a project; you make both
            on your <a href="/overview">overview</a>. A new key may make {formatKeyLimits(limits)}.
          </p>
          <Credential id="api-key" label="API key" hint="It begins with sp_live_." placeholder="sp_live_…" />
        </div>
        <div class="card">
          <h3>Interface B: an access token</h3>
          <p>
            Every call carries the header <code>Authorization: Bearer &lt;access token&gt;</code>. The page{' '}
            <a href="/apikeys">Tokens</a> shows yours; it ends {LIMITS.accessTokenLifetimeMinutes} minutes
            after its issue and is renewed with the refresh token.
          </p>
          <Credential
            id="authorization"
            label="Authorisation value"
            hint="The word Bearer, a space, then the access token. Without the word Bearer it is rejected."
            placeholder="Bearer eyJ…"
          />
        </div>
      </div>
      <p class="muted" data-credential="" hidden>
        What you enter stays in this page's memory: it is sent to this server alone, stored nowhere, and gone
        when you leave.
      </p>
      <noscript>
        <p class="notice">
          This page can send requests for you where scripts run. Without them everything below is still here,
          with a command to copy for each operation.
        </p>
      </noscript>
    </section>
  );
}
