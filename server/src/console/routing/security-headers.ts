import type { FastifyHelmetOptions } from '@fastify/helmet';

const yearSeconds = 31_536_000;

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
  strictTransportSecurity: isHttps ? { maxAge: yearSeconds, includeSubDomains: false } : false,
});
