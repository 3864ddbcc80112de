import { LIMITS, OAUTH_PATHS, OAUTH_SCOPE, parseUrl } from '@signpost/contract';
import { isSameServer } from './home-address.js';
import { OAuthError } from './oauth-error.js';

/** The parameters of a query or form, by name. A repeated parameter has a list as its value. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The text of a parameter; undefined if it is missing or empty. Throws if it is repeated, too long, or has a NUL. */
export function parameter(parameters: Parameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string')
    throw new OAuthError('invalid_request', `The parameter ${name} comes more than once: send it once.`);
  const { parameterCharacters: max } = LIMITS.oauth;
  if (value.length > max || value.includes('\0'))
    throw new OAuthError(
      'invalid_request',
      `The parameter ${name} is not taken: it may have ${max} characters.`,
    );
  return value;
}

export function requiredParameter(parameters: Parameters, name: string): string {
  const value = parameter(parameters, name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/** Whether a resource parameter names this server, with or without the path of `/mcp` and a final slash. */
function isThisServer(requestedResource: string, resource: string): boolean {
  const [url, own] = [parseUrl(requestedResource), parseUrl(resource)];
  if (url === undefined || own === undefined || url.search !== '' || url.username !== '') return false;
  const path = url.pathname.replace(/\/+$/u, '');
  return (path === '' || path === OAUTH_PATHS.resource) && isSameServer(own.origin, url.origin);
}

/** Throws if the request is for another resource. A missing resource parameter means this server (RFC 8707). */
export function checkResource(parameters: Parameters, resource: string): void {
  const requestedResource = parameter(parameters, 'resource');
  if (requestedResource === undefined || isThisServer(requestedResource, resource)) return;
  throw new OAuthError(
    'invalid_target',
    `Tokens of this server are only for ${resource}: send that as resource, or leave it out.`,
  );
}

/** The requested scopes. Without the parameter, the only scope of this server. */
export const scopesOf = (parameters: Parameters): readonly string[] =>
  parameter(parameters, 'scope')
    ?.split(' ')
    .filter((scope) => scope !== '') ?? [OAUTH_SCOPE];
