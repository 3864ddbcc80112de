import type { FastifyHelmetOptions } from '@fastify/helmet';

const YEAR_SECONDS = 31_536_000;

/** Hosts that a policy can name: it has no syntax for IPv6 addresses, and `*` or `;` have a meaning of their own. */
const NAMEABLE = /^[a-z\d.-]+$/u;

/**
 * How the directive form-action names a URL: by its origin, or only by its scheme if that is not http or https, or if
 * the policy cannot name its host.
 */
export const formTarget = ({ hostname, origin, protocol }: URL): string =>
  /^https?:$/u.test(protocol) && NAMEABLE.test(hostname) ? origin : protocol;

/** The content security policy of a page. `formTargets` are origins and schemes to which its forms may lead, too. */
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

/** No framing, no referrer, no MIME sniffing, and HSTS if https is used. */
export const securityHeaders = (isHttps: boolean): FastifyHelmetOptions => ({
  contentSecurityPolicy: false,
  crossOriginEmbedderPolicy: false,
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: isHttps ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
});
