import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isHost, isWebOrigin, LIMITS, parseUrl } from '@signpost/contract';
import { z } from 'zod';
import { type BrowserEndpoint, parseEndpoints } from '../capture/browser/browser-endpoint.js';
import { type GuardAddress, parseGuardAddress } from '../capture/guard/exposure.js';
import { MIN_CAPTURES } from '../platform/limit.js';
import { suggest } from '../platform/suggestions.js';
import type { ConfiguredSecret } from '../secret/load-secret.js';
import { host, networks, trustedNetworks } from './config-values.js';

const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const words =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/u, words)
    .transform(Number)
    .refine((value) => value >= min && value <= max, words);
};

const rate = z.union([z.literal('unlimited').transform(() => null), wholeNumber(0)], {
  error: 'must be a whole number of at least 0, or "unlimited"',
});

const captureShare = z.union(
  [z.literal('unlimited').transform(() => 'whole' as const), wholeNumber(MIN_CAPTURES)],
  {
    error: 'must be a whole number of at least 1, or "unlimited"',
  },
);

const yesOrNo = z.enum(['yes', 'no'], { error: 'must be "yes" or "no"' }).transform((word) => word === 'yes');

const wordList = z.string().transform((text) => text.split(/[\s,]+/u).filter((part) => part !== ''));

const mcpHosts = wordList.refine(
  (parts) => parts.every((part) => part === '*' || isHost(part)),
  'must be names separated by commas, each with a port or without, such as "signpost.example", or "*"',
);

const mcpOrigins = wordList.refine(
  (parts) => parts.every((part) => part === '*' || isWebOrigin(part)),
  'must be origins separated by commas, such as "https://app.example", or "*"',
);

const browserEndpoints = wordList.transform((parts, context): readonly BrowserEndpoint[] => {
  const parsed = parseEndpoints(parts);
  const wrong = parsed.findIndex((endpoint) => endpoint === undefined);
  if (wrong !== -1) {
    context.addIssue({
      code: 'custom',
      message:
        'must be addresses of browsers separated by commas, such as "http://10.0.0.8:9222, ws://10.0.0.9:3000/path, ' +
        `cdp+wss://browsers.example?token=T"; number ${wrong + 1} is none`,
    });
  }
  return parsed.filter((endpoint) => endpoint !== undefined);
});

const guardAddress = z.string().transform((text, context): GuardAddress => {
  const parsed = parseGuardAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be one name or address of this machine, with a port or without, such as "10.0.0.5:3128"',
  });
  return z.NEVER;
});

const publicUrl = z
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

const databaseUrl = z
  .string()
  .refine(
    isPostgresqlUrl,
    'must be like "postgres://user:password@host:5432/database", a % in it written as %25',
  );

/** Variables whose values are never shown. */
const SECRET_VARIABLES = [
  'SIGNPOST_SECRET',
  'SIGNPOST_METRICS_TOKEN',
  'SIGNPOST_DATABASE_URL',
  'SIGNPOST_BROWSER_ENDPOINTS',
];

const MEGABYTE = 1_000_000;

/** What a remote browser takes at the same time where nothing is said: how many cores it has is not known here. */
const CAPTURES_PER_ENDPOINT = 2;

/** Every variable that the server reads, each with what it must be; an empty value counts as unset. */
const variables = z.object({
  SIGNPOST_HOST: host.default('127.0.0.1'),
  SIGNPOST_PORT: wholeNumber(0, 65_535).default(3000),
  SIGNPOST_PUBLIC_URL: publicUrl.optional(),
  SIGNPOST_DATA_DIR: z.string().default('./data'),
  SIGNPOST_DATABASE_URL: databaseUrl.optional(),
  SIGNPOST_SECRET: z.string().optional(),
  SIGNPOST_SECRET_FILE: z.string().optional(),
  SIGNPOST_RATE_PER_MINUTE: rate.default(LIMITS.freeTier.requestsPerMinute),
  SIGNPOST_RATE_PER_DAY: rate.default(LIMITS.freeTier.requestsPerDay),
  SIGNPOST_SIGNUP: z.enum(['open', 'closed'], { error: 'must be "open" or "closed"' }).default('open'),
  SIGNPOST_BROWSER_PATH: z.string().optional(),
  SIGNPOST_BROWSER_WITHOUT_SANDBOX: yesOrNo.default(false),
  SIGNPOST_BROWSER_ENDPOINTS: browserEndpoints.default([]),
  SIGNPOST_GUARD_ADDRESS: guardAddress.optional(),
  SIGNPOST_CAPTURE_CONCURRENCY: wholeNumber(1, 256).optional(),
  SIGNPOST_CAPTURE_QUEUE: wholeNumber(0, 10_000).optional(),
  SIGNPOST_CAPTURES_PER_ACCOUNT: captureShare.optional(),
  SIGNPOST_CAPTURE_TIMEOUT_MS: wholeNumber(1_000, 600_000).default(30_000),
  SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS: wholeNumber(1_000, 200_000).default(50_000),
  SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES: wholeNumber(1, 1_000).default(50),
  SIGNPOST_ALLOW_ADDRESSES: networks.default([]),
  SIGNPOST_TRUST_PROXY: trustedNetworks.default([]),
  SIGNPOST_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  SIGNPOST_MCP_ALLOWED_HOSTS: mcpHosts.default([]),
  SIGNPOST_MCP_ALLOWED_ORIGINS: mcpOrigins.default([]),
  SIGNPOST_MCP_OUTPUT_DIR: z.string().optional(),
  SIGNPOST_STOP_DELAY_MS: wholeNumber(0, 600_000).default(0),
  SIGNPOST_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be one of debug, info, warn, error, silent',
    })
    .default('info'),
});

/** Variables of the MCP server's own command, which may share an environment with the server. */
const OTHER_COMMANDS_VARIABLES = [
  'SIGNPOST_BASE_URL',
  'SIGNPOST_API_KEY',
  'SIGNPOST_MCP_HTTP',
  'SIGNPOST_MCP_HOST',
  'SIGNPOST_MCP_PORT',
  'SIGNPOST_MCP_MAX_WAIT_SECONDS',
];

/** The secret as it is configured: itself, or the file that holds it. */
function configuredSecret(text: string | undefined, file: string | undefined): ConfiguredSecret | undefined {
  return file === undefined ? text : { file: resolve(file) };
}

/** What is wrong with the environment, all of it at once. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const unknownVariables = (names: readonly string[]) => {
  const known = Object.keys(variables.shape);
  return names
    .filter((name) => !known.includes(name) && !OTHER_COMMANDS_VARIABLES.includes(name))
    .map((name) => {
      const near = suggest(name, known);
      return `${name} is not a variable of this version${near === undefined ? '' : `: did you mean ${near}?`}`;
    });
};

/** Reads the SIGNPOST_ variables out of an environment; throws a ConfigError that lists all that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name.startsWith('SIGNPOST_') && value !== ''),
  );
  const parsed = variables.safeParse(given);
  const problems = unknownVariables(Object.keys(given));
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    const shown = SECRET_VARIABLES.includes(name) ? '' : `, but is "${given[name]}"`;
    problems.push(`${name} ${issue.message}${shown}`);
  }
  const secret = configuredSecret(given.SIGNPOST_SECRET, given.SIGNPOST_SECRET_FILE);
  if (given.SIGNPOST_SECRET !== undefined && given.SIGNPOST_SECRET_FILE !== undefined) {
    problems.push('SIGNPOST_SECRET and SIGNPOST_SECRET_FILE are both set: set one of them');
  }
  if (parsed.data?.SIGNPOST_DATABASE_URL !== undefined && secret === undefined) {
    problems.push(
      'SIGNPOST_SECRET must be set where SIGNPOST_DATABASE_URL is, to the same on every server: for example to what ' +
        '"openssl rand -base64 32" prints; or SIGNPOST_SECRET_FILE, to a file that holds it',
    );
  }
  const elsewhere = parsed.data?.SIGNPOST_BROWSER_ENDPOINTS.find(({ isLoopback }) => !isLoopback);
  if (elsewhere !== undefined && parsed.data?.SIGNPOST_GUARD_ADDRESS === undefined) {
    problems.push(
      'SIGNPOST_GUARD_ADDRESS must be set to an address of this machine, such as "10.0.0.5:3128", where ' +
        `SIGNPOST_BROWSER_ENDPOINTS names a browser of another (${elsewhere.label}): it reaches pages through here alone`,
    );
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const values = parsed.data;
  const endpoints = values.SIGNPOST_BROWSER_ENDPOINTS;
  const usualConcurrency =
    endpoints.length === 0 ? availableParallelism() : CAPTURES_PER_ENDPOINT * endpoints.length;
  const concurrency = values.SIGNPOST_CAPTURE_CONCURRENCY ?? usualConcurrency;
  return {
    host: values.SIGNPOST_HOST,
    port: values.SIGNPOST_PORT,
    publicUrl: values.SIGNPOST_PUBLIC_URL,
    dataDir: resolve(values.SIGNPOST_DATA_DIR),
    /** The PostgreSQL that holds the data; undefined for SQLite in the data folder. */
    databaseUrl: values.SIGNPOST_DATABASE_URL,
    secret,
    /** The free tier: requests per window, null for no limit. */
    defaultLimits: { perMinute: values.SIGNPOST_RATE_PER_MINUTE, perDay: values.SIGNPOST_RATE_PER_DAY },
    isSignUpOpen: values.SIGNPOST_SIGNUP === 'open',
    browser: {
      browserPath: values.SIGNPOST_BROWSER_PATH,
      searchPath: environment.PATH ?? '',
      withoutSandbox: values.SIGNPOST_BROWSER_WITHOUT_SANDBOX,
      endpoints,
      guardAddress: values.SIGNPOST_GUARD_ADDRESS,
    },
    capture: {
      concurrency,
      queue: values.SIGNPOST_CAPTURE_QUEUE ?? 4 * concurrency,
      timeoutMs: values.SIGNPOST_CAPTURE_TIMEOUT_MS,
      maxPageHeightPixels: values.SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS,
      maxResultBytes: values.SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES * MEGABYTE,
      allowAddresses: values.SIGNPOST_ALLOW_ADDRESSES,
    },
    /** How many captures of one account are taken at the same time; undefined where the number of accounts decides. */
    capturesPerAccount: values.SIGNPOST_CAPTURES_PER_ACCOUNT,
    trustProxy: values.SIGNPOST_TRUST_PROXY,
    mcp: {
      hosts: values.SIGNPOST_MCP_ALLOWED_HOSTS,
      origins: values.SIGNPOST_MCP_ALLOWED_ORIGINS,
      outputDir: values.SIGNPOST_MCP_OUTPUT_DIR,
    },
    metricsToken: values.SIGNPOST_METRICS_TOKEN,
    /** How long a server that was told to stop goes on, for balancers to notice. */
    stopDelayMs: values.SIGNPOST_STOP_DELAY_MS,
    logLevel: values.SIGNPOST_LOG_LEVEL,
  };
}

export type Config = ReturnType<typeof readConfig>;

/** Where a server is reached from its own machine, without a slash at the end; one that listens everywhere at 127.0.0.1. */
export function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
