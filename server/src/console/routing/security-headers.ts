import type { FastifyHelmetOptions } from '@fastify/helmet';

const YEAR_SECONDS = 31_536_000;

/** Names and IPv4 addresses; the policy's grammar knows no IPv6 address, and a `*` or `;` would mean something else. */
const NAMEABLE = /^[a-z\d.-]+$/u;

/**
 * The source for `form-action` of a content security policy that lets a form's answer redirect to a URL: its
 * origin, or its scheme where the policy cannot name the host.
 */
export const formTarget = ({ hostname, origin, protocol }: URL): string =>
  /^https?:$/u.test(protocol) && NAMEABLE.test(hostname) ? origin : protocol;

/** The content security policy of a page; `formTargets` are further origins that a form may lead to. */
export const contentSecurityPolicy = (formTargets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    'frame-src blob:',
    ['form-action', "'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The headers of every page: no framing, no referrer, no guessing of types; https for good where it is used. */
export const securityHeaders = (isHttps: boolean): FastifyHelmetOptions => ({
  contentSecurityPolicy: false,
  crossOriginEmbedderPolicy: false,
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: isHttps ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
});
