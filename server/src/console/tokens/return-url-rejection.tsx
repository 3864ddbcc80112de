import type { FastifyReply } from 'fastify';
import { hasTokenParameter, parsePlainUrl } from '../../tokens/return-urls.js';
import { AskOperator } from '../layout/notices.js';
import { RETURN_URLS_PATH } from '../operator/return-urls-page.js';
import type { PageContext } from '../routing/page-context.js';
import { formatCount } from '../layout/formatting.js';

const MAX_CHARACTERS = 160;
/** Control, format and private-use characters, lone surrogates and unassigned characters. */
const UNSEEN = /\p{C}/gu;

/**
 * Makes an untrusted address safe to show: replaces each invisible character by a visible one. Cuts an address of more
 * than MAX_CHARACTERS, and adds how many it had.
 */
export function printableAddress(address: string): string {
  const characters = [...address.replace(UNSEEN, '\u{FFFD}')];
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  const all = formatCount(characters.length);
  return `${characters.slice(0, MAX_CHARACTERS).join('')}… (cut; it has ${all} characters)`;
}

/** The explanation why a return URL is refused, for the person whom a site sent here with that URL. */
interface ReturnUrlRejection {
  readonly title: string;
  readonly explanation: string;
  /** Whether there is an address to show. */
  readonly hasAddress: boolean;
  /** Whether the address would be accepted if the operator registered it. */
  readonly canBeRegistered: boolean;
}

const ITS_OPERATOR = 'Only the operator of that site can correct this.';

const rejection = (title: string, problem: string, hasAddress = true): ReturnUrlRejection => ({
  title,
  explanation: `The site that sent you here ${problem} ${ITS_OPERATOR}`,
  hasAddress,
  canBeRegistered: false,
});

const MISSING = rejection(
  'No address to return to',
  'did not say where to send you back to: the address of this page has no returnUrl.',
  false,
);
const MALFORMED = rejection(
  'Not an address to return to',
  'asked to send you back to something that is not accepted as an address: it must be a whole http or https address, without a user name, default port or fragment.',
);
const HAS_TOKEN = rejection(
  'Not an address to return to',
  "asked to send you back to an address that already has a token in the position of this server's own.",
);
const UNKNOWN: ReturnUrlRejection = {
  title: 'This site is not known here',
  explanation:
    'The site that sent you here asked to send you back to an address that this server does not know.',
  hasAddress: true,
  canBeRegistered: true,
};

/** Explains why a return URL did not match a registered one. */
export function explainRejection(text: string): ReturnUrlRejection {
  if (text.trim() === '') return MISSING;
  const url = parsePlainUrl(text);
  if (url === undefined) return MALFORMED;
  return hasTokenParameter(url) ? HAS_TOKEN : UNKNOWN;
}

function HowToRegister({ isOperator }: { readonly isOperator: boolean }) {
  return isOperator ? (
    <p>
      If you trust that site, <a href={RETURN_URLS_PATH}>register the address</a>, without the part after a
      question mark.
    </p>
  ) : (
    <p>
      If you trust that site, ask for its address to be registered, without the part after a question mark.{' '}
      <AskOperator />
    </p>
  );
}

/** Shows why this server does not redirect to this address, and who can change that. */
export function showRejectedReturnUrl(context: PageContext, returnUrl: string): FastifyReply {
  const { title, explanation, hasAddress, canBeRegistered } = explainRejection(returnUrl);
  return context.render(
    { title, status: 400, width: 'narrow' },
    <>
      <h1>{title}</h1>
      <p>{explanation}</p>
      {hasAddress ? (
        <p>
          <code class="value" dir="ltr">
            {printableAddress(returnUrl)}
          </code>
        </p>
      ) : null}
      {canBeRegistered ? <HowToRegister isOperator={context.user?.account.isOperator === true} /> : null}
      <p>You were not sent anywhere, and nothing about you was passed on.</p>
    </>,
  );
}
