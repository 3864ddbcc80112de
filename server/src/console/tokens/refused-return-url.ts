import { hasTokenParameter, parsePlainUrl } from '../../tokens/return-url-text.js';

/** What is wrong with a return URL, for the person whom a site sent here with it. */
export interface RefusedReturnUrl {
  readonly title: string;
  readonly words: string;
  /** Whether there is an address to be shown. */
  readonly hasAddress: boolean;
  /** Whether it would be taken if the operator registered it. */
  readonly canBeRegistered: boolean;
}

const ITS_OPERATOR = 'Only whoever runs that site can put this right.';

const MISSING: RefusedReturnUrl = {
  title: 'No address to return to',
  words: `The site that sent you here did not say where to send you back to: the address of this page has no returnUrl. ${ITS_OPERATOR}`,
  hasAddress: false,
  canBeRegistered: false,
};

const MALFORMED: RefusedReturnUrl = {
  title: 'Not an address to return to',
  words: `The site that sent you here asked to send you back to something that is not taken as an address: it must be a whole http or https address, without a user name, default port or fragment. ${ITS_OPERATOR}`,
  hasAddress: true,
  canBeRegistered: false,
};

const HAS_TOKEN: RefusedReturnUrl = {
  title: 'Not an address to return to',
  words: `The site that sent you here asked to send you back to an address that has a token already, where this server would put its own. ${ITS_OPERATOR}`,
  hasAddress: true,
  canBeRegistered: false,
};

const UNKNOWN: RefusedReturnUrl = {
  title: 'This site is not known here',
  words: 'The site that sent you here asked to send you back to an address that this server does not know.',
  hasAddress: true,
  canBeRegistered: true,
};

/** The words for a return URL that did not match a registered one. */
export function refusedReturnUrl(text: string): RefusedReturnUrl {
  if (text.trim() === '') return MISSING;
  const url = parsePlainUrl(text);
  if (url === undefined) return MALFORMED;
  return hasTokenParameter(url) ? HAS_TOKEN : UNKNOWN;
}
