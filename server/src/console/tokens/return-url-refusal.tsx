import type { FastifyReply } from 'fastify';
import type { Visit } from '../pages.js';
import { refusedReturnUrl } from './refused-return-url.js';
import { shownAddress } from './shown-address.js';

/** Says that nobody is sent to this address, and who can change that. */
export function showRefusedReturnUrl(visit: Visit, returnUrl: string): FastifyReply {
  const { title, words, hasAddress, canBeRegistered } = refusedReturnUrl(returnUrl);
  return visit.page(
    { title, status: 400, width: 'narrow' },
    <>
      <h1>{title}</h1>
      <p>{words}</p>
      {hasAddress ? (
        <p>
          <code class="value" dir="ltr">
            {shownAddress(returnUrl)}
          </code>
        </p>
      ) : null}
      {canBeRegistered ? (
        <p>
          If you trust that site, ask the operator of this server to register the address, without what
          follows a question mark: <code>npx signpost return-url add URL --name N</code>
        </p>
      ) : null}
      <p>You were sent nowhere, and nothing about you was passed on.</p>
    </>,
  );
}
