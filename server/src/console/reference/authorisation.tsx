import { LIMITS } from '@signpost/contract';
import type { Limits } from '../../usage/rate-limit.js';
import { formatLimits } from '../keys/key-display.js';

export const Authorisation = ({ limits }: { readonly limits: Limits }) => (
  <section id="authorisation" aria-labelledby="authorisation-title">
    <h2 id="authorisation-title">Authorisation</h2>
    <div class="cards">
      <div class="card">
        <h3>Interface A: an API key</h3>
        <p>
          Every request carries the header <code>X-Api-Key</code>. A key belongs to a project; you make both
          on your <a href="/overview">overview</a>. The limits of a new key: {formatLimits(limits)}.
        </p>
      </div>
      <div class="card">
        <h3>Interface B: an access token</h3>
        <p>
          Every call carries the header <code>Authorization: Bearer &lt;access token&gt;</code>. The page{' '}
          <a href="/apikeys">Tokens</a> shows yours; it ends {LIMITS.accessTokenLifetimeMinutes} minutes after
          its issue and is renewed with the refresh token.
        </p>
      </div>
    </div>
  </section>
);
