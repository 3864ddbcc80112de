import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { MCP_COMMAND_VARIABLES } from 'signpost-mcp/variables';
import type { z } from 'zod';
import { errorCode, reasonOf } from '../platform/errors.js';
import { isLoopbackHost } from '../platform/networks.js';
import type { OutboundSettings } from '../platform/outbound/outbound-settings.js';
import { suggest } from '../platform/suggestions.js';
import type { ConfiguredSecret } from '../secret/load-secret.js';
import { addExtraCaFile } from '../storage/postgresql/connection-url.js';
import { captureCounts } from './capture-counts.js';
import { defaultDataFolder } from './data-folder.js';
import { aboutVariables } from './about-variables.js';
import { variables } from './variables.js';

const MEGABYTE = 1_000_000;

/** The secret as configured: its text, or the file that holds it; undefined if neither is set. */
function configuredSecret(text: string | undefined, file: string | undefined): ConfiguredSecret | undefined {
  return file === undefined ? text : { file: resolve(file) };
}

/** An error that lists what is wrong with the environment. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const mcpVariables: ReadonlySet<string> = new Set(MCP_COMMAND_VARIABLES);

const isSecret = (name: string) =>
  Object.entries(variables.shape).some(
    ([each, schema]) => each === name && aboutVariables.get(schema)?.isSecret,
  );

const unknownVariables = (names: readonly string[]) => {
  const knownNames = Object.keys(variables.shape);
  // Names are compared without the prefix that all of them share, because it must not make them similar.
  const withoutPrefix = (name: string) => name.replace(/^SIGNPOST_/u, '');
  return names
    .filter((name) => !knownNames.includes(name) && !mcpVariables.has(name))
    .map((name) => {
      const near = suggest(withoutPrefix(name), knownNames.map(withoutPrefix));
      const hint = near === undefined ? '' : `: did you mean SIGNPOST_${near}?`;
      return `${name} is not a variable of this version${hint}`;
    });
};

type Environment = Readonly<Record<string, string | undefined>>;
type Values = z.output<typeof variables>;

/**
 * The given variables of the server with their values, for the operator to read. The values of secrets are left out.
 */
const shownVariables = (environment: Environment) =>
  Object.keys(variables.shape)
    .filter((name) => environment[name] !== undefined)
    .map((name) => (isSecret(name) ? `${name} (not shown)` : `${name}=${environment[name]}`));

/** Problems with single variables: unknown names and invalid values. */
function problemsOfVariables(environment: Environment, issues: readonly z.core.$ZodIssue[]): string[] {
  const problems = unknownVariables(Object.keys(environment));
  for (const issue of issues) {
    const name = String(issue.path[0]);
    const valueText = isSecret(name) ? '' : `, but is "${environment[name]}"`;
    problems.push(`${name} ${issue.message}${valueText}`);
  }
  return problems;
}

/** Problems with combinations of variables. */
function combinationProblems(environment: Environment, values: Values | undefined): string[] {
  const problems: string[] = [];
  const { SIGNPOST_SECRET: secret, SIGNPOST_SECRET_FILE: secretFile } = environment;
  if (secret !== undefined && secretFile !== undefined) {
    problems.push('SIGNPOST_SECRET and SIGNPOST_SECRET_FILE are both set: set one of them');
  }
  if (values?.SIGNPOST_DATABASE_URL !== undefined && secret === undefined && secretFile === undefined) {
    problems.push(
      'SIGNPOST_SECRET must be set when SIGNPOST_DATABASE_URL is, and be the same on every server: for example, use what "openssl rand -base64 32" prints. SIGNPOST_SECRET_FILE can name a file that holds it instead',
    );
  }
  if (values?.SIGNPOST_ACCESS_LOG === 'on' && !['debug', 'info'].includes(values.SIGNPOST_LOG_LEVEL)) {
    problems.push(
      'SIGNPOST_ACCESS_LOG is "on", but its lines have the level info: set SIGNPOST_LOG_LEVEL to info or debug',
    );
  }
  if (environment.SIGNPOST_SMTP_URL !== undefined && environment.SIGNPOST_MAIL_FROM === undefined) {
    problems.push(
      'SIGNPOST_MAIL_FROM must be set when SIGNPOST_SMTP_URL is, for example to "Signpost <signpost@example.org>"',
    );
  }
  const proxyOnly = ['SIGNPOST_OUTBOUND_NO_PROXY', 'SIGNPOST_OUTBOUND_PROXY_RESOLVES'];
  if (environment.SIGNPOST_OUTBOUND_PROXY === undefined)
    for (const name of proxyOnly.filter((one) => environment[one] !== undefined))
      problems.push(`${name} is set, but SIGNPOST_OUTBOUND_PROXY is not: set it, or leave out ${name}`);
  const elsewhere = values?.SIGNPOST_BROWSER_ENDPOINTS.find(({ isLoopback }) => !isLoopback);
  if (elsewhere !== undefined && values?.SIGNPOST_GUARD_ADDRESS === undefined) {
    problems.push(
      `SIGNPOST_GUARD_ADDRESS must be set to an address of this machine, such as "10.0.0.5:3128", because SIGNPOST_BROWSER_ENDPOINTS names a browser on another machine (${elsewhere.label}), which reaches pages only through this one`,
    );
  }
  return problems;
}

function captureConfig(values: Values) {
  const maxMemoryBytes = values.SIGNPOST_CAPTURE_MEMORY_MEGABYTES * MEGABYTE;
  return {
    ...captureCounts({
      concurrency: values.SIGNPOST_CAPTURE_CONCURRENCY,
      queue: values.SIGNPOST_CAPTURE_QUEUE,
      endpoints: values.SIGNPOST_BROWSER_ENDPOINTS.length,
      maxMemoryBytes,
    }),
    timeoutMs: values.SIGNPOST_CAPTURE_TIMEOUT_MS,
    maxPageHeightPixels: values.SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS,
    maxResultBytes: values.SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES * MEGABYTE,
    maxMemoryBytes,
    allowAddresses: values.SIGNPOST_ALLOW_ADDRESSES,
    blockLists: values.SIGNPOST_BLOCK_LISTS,
    probeNames: values.SIGNPOST_NETWORK_PROBE,
  };
}

/** The proxy and the extra certificates for outgoing requests. */
const outboundConfig = (values: Values): OutboundSettings => ({
  proxy:
    values.SIGNPOST_OUTBOUND_PROXY === undefined
      ? undefined
      : {
          url: values.SIGNPOST_OUTBOUND_PROXY,
          except: values.SIGNPOST_OUTBOUND_NO_PROXY,
          resolvesNames: values.SIGNPOST_OUTBOUND_PROXY_RESOLVES,
        },
  extraCaFile: values.SIGNPOST_EXTRA_CA_FILE,
});

/** The mail server and the sender; undefined if no mail is sent. */
const mailConfig = ({ SIGNPOST_SMTP_URL: url, SIGNPOST_MAIL_FROM: from }: Values) =>
  url === undefined || from === undefined ? undefined : { url, from };

/** Whether only this machine can reach the server, judging by its settings. */
const isLocalOnly = ({ SIGNPOST_HOST: host, SIGNPOST_PUBLIC_URL: publicUrl }: Values): boolean =>
  publicUrl === undefined && isLoopbackHost(host);

/**
 * The variables, besides SIGNPOST_SECRET, whose values can be in files. SIGNPOST_SMTP_URL_FILE, for example, names the
 * file with the value of SIGNPOST_SMTP_URL.
 */
const IN_FILES = [
  'SIGNPOST_DATABASE_URL',
  'SIGNPOST_SMTP_URL',
  'SIGNPOST_METRICS_TOKEN',
  'SIGNPOST_OUTBOUND_PROXY',
] as const;
/**
 * Error codes for a file that does not exist. The message then does not show the name of the file, because it may be
 * the secret itself, put into the wrong variable.
 */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

type ReadFile = (path: string) => string;
const readTextFile: ReadFile = (path) => readFileSync(path, 'utf8');

/**
 * Adds the values of variables that are in files, without white space around them. Also returns the problems with the
 * files.
 */
function readFiles(environment: Environment, read: ReadFile) {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  for (const name of IN_FILES) {
    const path = environment[`${name}_FILE`];
    if (path === undefined) continue;
    if (environment[name] !== undefined)
      problems.push(`${name} and ${name}_FILE are both set: set one of them`);
    try {
      const text = read(resolve(path)).trim();
      if (text === '') problems.push(`${name}_FILE names ${path}, which is empty`);
      else values[name] = text;
    } catch (error) {
      problems.push(
        NOT_THERE.has(errorCode(error))
          ? `${name}_FILE must name a file that holds ${name}, but there is no such file`
          : `${name}_FILE names ${path}, which cannot be read: ${reasonOf(error)}`,
      );
    }
  }
  return { complete: { ...environment, ...values }, problems };
}

/**
 * Reads the SIGNPOST_ variables that are not empty, and the files that hold values of IN_FILES. If there are problems,
 * throws a ConfigError that lists them.
 */
function readValues(environment: Environment, readFile: ReadFile) {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name.startsWith('SIGNPOST_') && value !== ''),
  );
  const { complete, problems: ofFiles } = readFiles(set, readFile);
  const parsed = variables.safeParse(complete);
  const problems = [
    ...ofFiles,
    ...problemsOfVariables(complete, parsed.error?.issues ?? []),
    ...combinationProblems(complete, parsed.data),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return { set, complete, values: parsed.data };
}

/** Variables that name a proxy for other programs. Signpost does not use them. */
const FOREIGN_PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/**
 * Reads the configuration from the variables of an environment. Throws a ConfigError that lists the problems, or a
 * ServiceError if SIGNPOST_DATA_DIR is not set and the user has no home folder to use instead.
 */
export function readConfig(environment: Environment, readFile: ReadFile = readTextFile) {
  const { set, complete, values } = readValues(environment, readFile);
  const outbound = outboundConfig(values);
  return {
    host: values.SIGNPOST_HOST,
    port: values.SIGNPOST_PORT,
    publicUrl: values.SIGNPOST_PUBLIC_URL,
    /** Host names that the server accepts besides its own. */
    allowedHosts: values.SIGNPOST_ALLOWED_HOSTS,
    dataDir: resolve(values.SIGNPOST_DATA_DIR ?? defaultDataFolder(environment)),
    /** The URL of the PostgreSQL database that holds the data; undefined for SQLite in the data folder. */
    databaseUrl: addExtraCaFile(values.SIGNPOST_DATABASE_URL, values.SIGNPOST_EXTRA_CA_FILE),
    secret: configuredSecret(complete.SIGNPOST_SECRET, complete.SIGNPOST_SECRET_FILE),
    /** The limits of a key that has none of its own: requests per window, null for no limit. */
    defaultLimits: { perMinute: values.SIGNPOST_RATE_PER_MINUTE, perDay: values.SIGNPOST_RATE_PER_DAY },
    /** The limits of all keys of an account together, if the account has none of its own. */
    accountLimits: {
      perMinute: values.SIGNPOST_ACCOUNT_RATE_PER_MINUTE,
      perDay: values.SIGNPOST_ACCOUNT_RATE_PER_DAY,
    },
    isSignUpOpen: (values.SIGNPOST_SIGNUP ?? (isLocalOnly(values) ? 'open' : 'closed')) === 'open',
    /** Whether SIGNPOST_SIGNUP is unset, so that operators can open and close sign-up. */
    isSignUpDefault: values.SIGNPOST_SIGNUP === undefined,
    /** Whether operators need a second factor to see the operator pages. */
    mustOperatorsHaveSecondFactor: values.SIGNPOST_OPERATOR_SECOND_FACTOR === 'required',
    /** How users reach the operator. */
    contact: values.SIGNPOST_CONTACT,
    mail: mailConfig(values),
    browser: {
      browserPath: values.SIGNPOST_BROWSER_PATH,
      searchPath: environment.PATH ?? '',
      withoutSandbox: values.SIGNPOST_BROWSER_WITHOUT_SANDBOX,
      endpoints: values.SIGNPOST_BROWSER_ENDPOINTS,
      guardAddress: values.SIGNPOST_GUARD_ADDRESS,
      outbound,
    },
    capture: captureConfig(values),
    /** The memory for captures that are cached for `maxAgeSeconds`. */
    cacheBytes: values.SIGNPOST_CACHE_MEGABYTES * MEGABYTE,
    /**
     * How many captures an account without a quota of its own may run at once; if undefined, this depends on whether
     * other accounts are enabled.
     */
    capturesPerAccount: values.SIGNPOST_CAPTURES_PER_ACCOUNT,
    outbound,
    /** The variable that names a proxy for other programs, which has no effect here; undefined if none is set. */
    ignoredProxy: FOREIGN_PROXIES.find((name) => (environment[name] ?? '') !== ''),
    trustProxy: values.SIGNPOST_TRUST_PROXY,
    mcp: {
      hosts: values.SIGNPOST_MCP_ALLOWED_HOSTS,
      origins: values.SIGNPOST_MCP_ALLOWED_ORIGINS,
      outputDir: values.SIGNPOST_MCP_OUTPUT_DIR,
    },
    /** The URL that `postcodes import latest` searches. */
    directorySearchUrl: values.SIGNPOST_DIRECTORY_SEARCH_URL,
    metricsToken: values.SIGNPOST_METRICS_TOKEN,
    /** The variables that are set, such as "SIGNPOST_PORT=8080", without the values of secrets. */
    setVariables: shownVariables(set),
    /** How long a server goes on serving after it was told to stop, so that load balancers can notice. */
    stopDelayMs: values.SIGNPOST_STOP_DELAY_MS,
    logLevel: values.SIGNPOST_LOG_LEVEL,
    /** How log lines are written; if undefined, as text at a terminal and as JSON elsewhere. */
    logFormat: values.SIGNPOST_LOG_FORMAT,
    /** Whether every request is logged. At the log level debug, every request is logged in any case. */
    isAccessLogOn: values.SIGNPOST_ACCESS_LOG === 'on',
  };
}

export type Config = ReturnType<typeof readConfig>;
