import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isHost, isWebOrigin, parseUrl, parseWebAddress } from '@signpost/contract';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isEmail } from '../accounts/account.js';
import { type BrowserEndpoint, parseEndpoints } from '../capture/browser/browser-endpoint.js';
import { type GuardAddress, parseGuardAddress } from '../capture/guard/exposure.js';
import { MIN_CAPTURES } from '../platform/limit.js';
import { isLoopbackHost } from '../platform/networks.js';
import { parameterProblem } from '../storage/postgresql/connection-url.js';

/** The fewest prefix bits of an IPv4 network of trusted proxies, so that the widest is like 10.0.0.0/8. */
const MIN_IPV4_BITS = 8;
const MIN_PRIVATE_IPV6_BITS = 7;
const MIN_IPV6_BITS = 32;
const IPV4_MAPPED_BITS = 96;

const isAddressOrNetwork = (text: string) =>
  isIP(text.replace(/\/\d+$/u, '')) !== 0 && (isIP(text) !== 0 || ipaddr.isValidCIDR(text));

/** A list of addresses and networks. */
export const networks = z
  .string()
  .transform((text) => text.split(/[\s,]+/u).filter((part) => part !== ''))
  .refine((parts) => parts.every(isAddressOrNetwork), {
    error: 'must be addresses or networks separated by commas, such as "127.0.0.1, 10.0.0.0/8"',
    abort: true,
  });

/** The path of one file, made absolute. */
export const file = z.string().transform((text) => resolve(text));

/** A list of paths of files, made absolute. */
export const files = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => part !== ''), {
    error: 'must be files separated by commas, such as "/etc/signpost/easylist.txt"',
    abort: true,
  })
  .transform((parts) => parts.map((part) => resolve(part)));

function isNarrow(text: string): boolean {
  if (!text.includes('/')) return true;
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv4) return bits >= MIN_IPV4_BITS;
  if (address.isIPv4MappedAddress()) return bits - IPV4_MAPPED_BITS >= MIN_IPV4_BITS;
  return bits >= (address.range() === 'uniqueLocal' ? MIN_PRIVATE_IPV6_BITS : MIN_IPV6_BITS);
}

/**
 * A list of addresses and networks of proxies that are trusted to name the address of the caller. Rejects a network
 * that is too wide.
 */
export const trustedNetworks = networks.refine(
  (parts) => parts.every(isNarrow),
  'must name only the reverse proxies, no network wider than /8 (IPv6: /32, private ones /7): the server believes the forwarded headers of everyone there',
);

/** An address or host name to listen on. Checks only its form. */
export const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || /^[\w.-]{1,253}$/u.test(text),
    'must be an address or a name of this machine without a port, such as "0.0.0.0"',
  );

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/u, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
};

/** The lowest memory limit of one capture, in MB. */
export const MIN_CAPTURE_MEGABYTES = 100;
export const captureMegabytes = wholeNumber(MIN_CAPTURE_MEGABYTES, 1_000_000);

export const rate = z.union([z.literal('unlimited').transform(() => null), wholeNumber(0)], {
  error: 'must be a whole number of at least 0, or "unlimited"',
});

export const captureQuota = z.union(
  [z.literal('unlimited').transform(() => 'whole' as const), wholeNumber(MIN_CAPTURES)],
  {
    error: 'must be a whole number of at least 1, or "unlimited"',
  },
);

export const yesOrNo = z
  .enum(['yes', 'no'], { error: 'must be "yes" or "no"' })
  .transform((word) => word === 'yes');

const wordList = z.string().transform((text) => text.split(/[\s,]+/u).filter((part) => part !== ''));

const HOST_NAME = /^(?=.{1,253}$)[a-z\d_](?:[\w-]*[a-z\d])?(?:\.[a-z\d_](?:[\w-]*[a-z\d])?)*$/iu;

/** Host names, or "off" for an empty list. */
export const probeNames = wordList
  .refine(
    (parts) => parts.every((part) => HOST_NAME.test(part)),
    'must be host names separated by commas, such as "intranet.example, example.com", or "off"',
  )
  .transform((parts) => (parts.length === 1 && parts[0]?.toLowerCase() === 'off' ? [] : parts));

export const hostList = wordList.refine(
  (parts) => parts.every((part) => part === '*' || (isHost(part) && !part.includes('*'))),
  'must be names separated by commas, each with a port or without, such as "signpost.example", or "*"',
);

export const mcpOrigins = wordList.refine(
  (parts) => parts.every((part) => part === '*' || isWebOrigin(part)),
  'must be origins separated by commas, such as "https://app.example", or "*"',
);

export const browserEndpoints = wordList.transform((parts, context): readonly BrowserEndpoint[] => {
  const parsed = parseEndpoints(parts);
  const wrong = parsed.findIndex((endpoint) => endpoint === undefined);
  if (wrong !== -1) {
    context.addIssue({
      code: 'custom',
      message:
        'must be addresses of browsers that speak the DevTools protocol (CDP), separated by commas, such as ' +
        '"http://10.0.0.8:9222, ws://10.0.0.9:9222/devtools/browser/ID, cdp+wss://browsers.example?token=T"; ' +
        `number ${wrong + 1} is not one; a Playwright server cannot be used`,
    });
  }
  return parsed.filter((endpoint) => endpoint !== undefined);
});

export const guardAddress = z.string().transform((text, context): GuardAddress => {
  const parsed = parseGuardAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be one name or address of this machine, with a port or without, such as "10.0.0.5:3128"',
  });
  return z.NEVER;
});

export const publicUrl = z
  .string()
  .refine(isWebOrigin, 'must be an http or https address without a path, such as "https://signpost.example"')
  .transform((text) => new URL(text).origin);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isPostgresqlUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { protocol, username, password, hostname, pathname } = url;
  const isWhole = /^postgres(?:ql)?:$/u.test(protocol) && hostname !== '' && pathname.length > 1;
  return isWhole && [username, password, pathname].every(isPercentEncoded);
}

export const databaseUrl = z
  .string()
  .refine(isPostgresqlUrl, {
    error: 'must be like "postgres://user:password@host:5432/database", a % in it written as %25',
    abort: true,
  })
  .superRefine((text, context) => {
    const problem = parameterProblem(new URL(text));
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** How users reach the operator, as pages show it. */
export interface Contact {
  readonly label: string;
  readonly href: string;
}

/** An e-mail or a web address. */
export const contact = z.string().transform((text, context): Contact => {
  const email = text.trim().toLowerCase();
  if (isEmail(email)) return { label: email, href: `mailto:${email}` };
  const url = parseWebAddress(text);
  if (url?.username === '') return { label: text.trim(), href: url.href };
  context.addIssue({
    code: 'custom',
    message: 'must be an e-mail or a web address, such as "ops@example.org" or "https://example.org/help"',
  });
  return z.NEVER;
});

/** The URL of a mail server. */
export const smtpUrl = z
  .string()
  .refine((text) => {
    const url = parseUrl(text);
    if (url === undefined || !/^smtps?:$/u.test(url.protocol) || url.hostname === '') return false;
    const { username, password, pathname, search, hash } = url;
    return [username, password].every(isPercentEncoded) && /^\/?$/u.test(pathname) && search + hash === '';
  }, 'must be like "smtps://user:password@mail.example:465", or "smtp://" with STARTTLS, a % or @ in user and password ' + 'written as %25 and %40')
  .transform((text) => new URL(text));

/** The URL of a proxy for outgoing requests. */
export const outboundProxy = z.string().refine((text) => {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.hostname === '') return false;
  const { username, password, pathname, search, hash } = url;
  return [username, password].every(isPercentEncoded) && /^\/?$/u.test(pathname) && search + hash === '';
}, 'must be the http or https address of a proxy, such as "http://user:password@proxy.example:3128", a % or @ in user and password written as %25 and %40');

/** A list of names, addresses and networks that are reached without the proxy; "*" stands for all. */
export const noProxyList = wordList.refine(
  (parts) =>
    parts.every(
      (part) => part === '*' || isAddressOrNetwork(part) || HOST_NAME.test(part.replace(/^\*?\./u, '')),
    ),
  'must be names, addresses or networks without ports, separated by commas, such as "intranet.example, 10.0.0.0/8", or "*"',
);

/** The sender of mails: an address, with or without a name. */
export const mailFrom = z
  .string()
  .refine(
    (text) => isEmail((/^[^<>\r\n"]*<([^<>\s]+)>$/u.exec(text)?.[1] ?? text).toLowerCase()),
    'must be an e-mail, with a name or without, such as "Signpost <signpost@example.org>"',
  );

/** The URL at which to search for the newest edition of the directory. */
export const directorySearchUrl = z.string().refine((text) => {
  const url = parseUrl(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
}, 'must be the https address of a search of ArcGIS, such as "https://www.arcgis.com/sharing/rest/search"');
