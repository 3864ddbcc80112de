import { resolve } from 'node:path';
import { MCP_COMMAND_VARIABLES } from 'signpost-mcp/variables';
import { configProblems } from '../../../test/fixtures/config-problems.js';
import { readConfig } from './config.js';
import { aboutVariables } from './about-variables.js';
import { variables } from './variables.js';

test('uses default settings for an empty environment', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    defaultLimits: { perMinute: 5, perDay: 20 },
    accountLimits: { perMinute: null, perDay: null },
    capture: {
      timeoutMs: 30_000,
      maxResultBytes: 50_000_000,
      maxMemoryBytes: 1_024_000_000,
      allowAddresses: [],
      blockLists: [],
    },
    logLevel: 'info',
  });
});

test('treats an empty variable as unset', () => {
  expect(readConfig({ SIGNPOST_PORT: '' }).port).toBe(3000);
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ SIGNPOST_HOST: '::1' }, true],
  [{ SIGNPOST_HOST: 'localhost' }, true],
  [{ SIGNPOST_HOST: '0.0.0.0' }, false],
  [{ SIGNPOST_HOST: '10.0.0.5' }, false],
  [{ SIGNPOST_HOST: '127.0.0.1.signpost.example' }, false],
  [{ SIGNPOST_PUBLIC_URL: 'https://signpost.example' }, false],
  [{ SIGNPOST_HOST: '0.0.0.0', SIGNPOST_SIGNUP: 'open' }, true],
  [{ SIGNPOST_SIGNUP: 'closed' }, false],
])('with the variables %j, sign-up is open: %s', (environment, isSignUpOpen) => {
  expect(readConfig(environment).isSignUpOpen).toBe(isSignUpOpen);
});

test('reads the number of captures per account, or "unlimited", and has no default for it', () => {
  expect(readConfig({}).capturesPerAccount).toBeUndefined();
  expect(readConfig({ SIGNPOST_CAPTURES_PER_ACCOUNT: '3' }).capturesPerAccount).toBe(3);
  expect(readConfig({ SIGNPOST_CAPTURES_PER_ACCOUNT: 'unlimited' }).capturesPerAccount).toBe('whole');
});

test('makes the capture queue four times as long as a configured concurrency by default', () => {
  expect(readConfig({ SIGNPOST_CAPTURE_CONCURRENCY: '3' }).capture).toMatchObject({
    concurrency: 3,
    queue: 12,
  });
  expect(readConfig({ SIGNPOST_CAPTURE_QUEUE: '0' }).capture.queue).toBe(0);
});

test('"unlimited" removes the limit of requests per day', () => {
  expect(readConfig({ SIGNPOST_RATE_PER_DAY: 'unlimited' }).defaultLimits).toEqual({
    perMinute: 5,
    perDay: null,
  });
});

test('rejects an access log if the log level would suppress its lines', () => {
  expect(readConfig({}).isAccessLogOn).toBe(false);
  for (const level of ['debug', 'info'])
    expect(readConfig({ SIGNPOST_ACCESS_LOG: 'on', SIGNPOST_LOG_LEVEL: level }).isAccessLogOn).toBe(true);
  expect(configProblems({ SIGNPOST_ACCESS_LOG: 'on', SIGNPOST_LOG_LEVEL: 'warn' })).toEqual([
    expect.stringMatching(/^SIGNPOST_ACCESS_LOG .* set SIGNPOST_LOG_LEVEL to info or debug$/u),
  ]);
});

test('reads the configured limits that all keys of an account share', () => {
  const { accountLimits } = readConfig({
    SIGNPOST_ACCOUNT_RATE_PER_MINUTE: '50',
    SIGNPOST_ACCOUNT_RATE_PER_DAY: '400',
  });
  expect(accountLimits).toEqual({ perMinute: 50, perDay: 400 });
});

test('lists every problem in one error, each with the value and the allowed values', () => {
  expect(
    configProblems({
      SIGNPOST_PORT: '70000',
      SIGNPOST_RATE_PER_MINUTE: 'lots',
      SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1, localhost',
      SIGNPOST_PUBLIC_URL: 'signpost.example',
      SIGNPOST_CAPTURE_TIMEOUT_MS: '-1',
    }),
  ).toEqual([
    'SIGNPOST_PORT must be a whole number from 0 to 65535, but is "70000"',
    'SIGNPOST_PUBLIC_URL must be an http or https address without a path, such as "https://signpost.example", but is "signpost.example"',
    'SIGNPOST_RATE_PER_MINUTE must be a whole number of at least 0, or "unlimited", but is "lots"',
    'SIGNPOST_CAPTURE_TIMEOUT_MS must be a whole number from 1000 to 600000, but is "-1"',
    'SIGNPOST_ALLOW_ADDRESSES must be addresses or networks separated by commas, such as "127.0.0.1, 10.0.0.0/8", but is "127.0.0.1, localhost"',
  ]);
});

test('suggests the right name for a misspelt variable', () => {
  expect(configProblems({ SIGNPOST_DATADIR: '/tmp' })).toEqual([
    'SIGNPOST_DATADIR is not a variable of this version: did you mean SIGNPOST_DATA_DIR?',
  ]);
  expect(configProblems({ SIGNPOST_FOO: '1' })).toEqual(['SIGNPOST_FOO is not a variable of this version']);
});

test('does not repeat an invalid metrics token in the error', () => {
  expect(configProblems({ SIGNPOST_METRICS_TOKEN: 'short' }).join()).not.toContain('short');
});

test('ignores the variables of the MCP command', () => {
  expect(configProblems({ SIGNPOST_BASE_URL: 'http://127.0.0.1:3000', SIGNPOST_API_KEY: 'x' })).toEqual([]);
});

test('requires a secret beside a database address, and does not show the password of a wrong address', () => {
  const url = 'postgres://signpost:pass-word@db.example:5432/signpost';
  const secret = '3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE';
  expect(readConfig({ SIGNPOST_DATABASE_URL: url, SIGNPOST_SECRET: secret }).databaseUrl).toBe(url);
  expect(() => readConfig({ SIGNPOST_DATABASE_URL: url })).toThrow(/SIGNPOST_SECRET must be set/u);
  for (const wrong of [
    'mysql://a:pass-word@b/c',
    'postgres://db.example',
    'pass-word',
    'postgres://a:50%pass-word@b/c',
  ]) {
    const read = () => readConfig({ SIGNPOST_DATABASE_URL: wrong, SIGNPOST_SECRET: secret });
    expect(read).toThrow(/SIGNPOST_DATABASE_URL must be like "postgres:\/\//u);
    expect(read).not.toThrow('pass-word');
  }
});

describe('the parameters of a database address', () => {
  const problemsWith = (query: string) =>
    configProblems({
      SIGNPOST_DATABASE_URL: `postgres://signpost:pass-word@db.example/signpost?${query}`,
      SIGNPOST_SECRET: '3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE',
    });

  test.each([
    'sslmode=disable',
    'sslmode=no-verify',
    'sslmode=require',
    'sslmode=verify-ca&sslrootcert=/etc/ca.crt',
    'sslmode=verify-full&sslrootcert=/etc/ca.crt&sslcert=/etc/me.crt&sslkey=/etc/me.key',
    'application_name=signpost-1',
  ])('a database address can have %s', (query) => {
    expect(problemsWith(query)).toEqual([]);
  });

  const allowed = 'may have the parameters sslmode, sslrootcert, sslcert, sslkey, application_name, and not';
  test.each([
    ['sslmod=require', `${allowed} "sslmod": did you mean "sslmode"?`],
    ['options=-c%20fsync=off', `${allowed} "options"`],
    ['sslmode=require&channel_binding=require', `${allowed} "channel_binding"`],
    ['sslmode=prefer', 'must have as sslmode one of disable, no-verify, require, verify-ca, verify-full'],
    ['sslmode=disable&sslrootcert=/etc/ca.crt', 'names sslrootcert, which sslmode=disable does not use'],
    ['sslcert=/etc/me.crt', 'must name sslcert and sslkey, or neither'],
    ['sslkey=/etc/me.key', 'must name sslcert and sslkey, or neither'],
  ])('a database address cannot have %s, and the error says why without the address', (query, words) => {
    expect(problemsWith(query)).toEqual([`SIGNPOST_DATABASE_URL ${words}`]);
  });
});

test('takes the secret or its file, but not both', () => {
  const secret = '3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE';
  expect(readConfig({ SIGNPOST_SECRET: secret }).secret).toBe(secret);
  expect(readConfig({ SIGNPOST_SECRET_FILE: '/run/secrets/signpost' }).secret).toEqual({
    file: resolve('/run/secrets/signpost'),
  });
  const both = configProblems({ SIGNPOST_SECRET: secret, SIGNPOST_SECRET_FILE: '/run/secrets/signpost' });
  expect(both).toEqual(['SIGNPOST_SECRET and SIGNPOST_SECRET_FILE are both set: set one of them']);
  const url = 'postgres://signpost@db.example/signpost';
  expect(
    configProblems({ SIGNPOST_DATABASE_URL: url, SIGNPOST_SECRET_FILE: '/run/secrets/signpost' }),
  ).toEqual([]);
});

describe('reading the variables', () => {
  /** Variables without which some others are rejected. */
  const PROXY_AND_MAIL = {
    SIGNPOST_OUTBOUND_PROXY: 'http://proxy.example',
    SIGNPOST_SMTP_URL: 'smtp://mail.example',
    SIGNPOST_MAIL_FROM: 'me@mail.example',
  };
  const WRONG: Readonly<Record<string, readonly string[]>> = {
    SIGNPOST_HOST: ['not a host', 'http://localhost', '127.0.0.1:3000', '[::1]', 'a,b', 'x'.repeat(300)],
    SIGNPOST_PORT: ['-1', '65536', '80.5', '0x50', ' 80', 'http', '9'.repeat(20)],
    SIGNPOST_PUBLIC_URL: [
      'signpost.example',
      'ftp://a.example',
      'https://a.example/path',
      'https://u:p@a.example',
    ],
    SIGNPOST_RATE_PER_MINUTE: ['-1', '1.5', 'none', '1e3'],
    SIGNPOST_RATE_PER_DAY: ['-1', '1.5', 'none', '1e3'],
    SIGNPOST_SIGNUP: ['yes', 'OPEN'],
    SIGNPOST_OPERATOR_SECOND_FACTOR: ['yes', 'Required'],
    SIGNPOST_BROWSER_WITHOUT_SANDBOX: ['true', '1'],
    SIGNPOST_BROWSER_ENDPOINTS: ['browser', 'ftp://127.0.0.1'],
    SIGNPOST_GUARD_ADDRESS: ['0.0.0.0', '[::]:3128', '10.0.0.5:99999', 'http://10.0.0.5', 'a b'],
    SIGNPOST_CAPTURE_CONCURRENCY: ['0', '257', 'many'],
    SIGNPOST_CAPTURE_QUEUE: ['-1', '10001'],
    SIGNPOST_CAPTURE_TIMEOUT_MS: ['999', '600001', '30s'],
    SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS: ['999', '200001'],
    SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES: ['0', '1001', '50MB'],
    SIGNPOST_ALLOW_ADDRESSES: ['localhost', '10.0.0.0/33', '10', '1.2.3.4/255.0.0.0', '::1/129'],
    SIGNPOST_BLOCK_LISTS: [' ', 'a.txt,', ',a.txt', 'a.txt,,b.txt'],
    SIGNPOST_TRUST_PROXY: [
      ...['localhost', '10.0.0.0/33', '10', '0.0.0.0/0', '::/0', '0.0.0.0/1, 128.0.0.0/1'],
      ...['::/1 8000::/1', '::ffff:0:0/96', '::ffff:0.0.0.0/97', '127.0.0.1, 0.0.0.0/0'],
    ],
    SIGNPOST_DIRECTORY_SEARCH_URL: ['arcgis.com', 'http://a.example/search', 'ftp://127.0.0.1/search'],
    SIGNPOST_METRICS_TOKEN: ['too-short'],
    SIGNPOST_ALLOWED_HOSTS: ['http://a.example', 'a.example/x', '*.example'],
    SIGNPOST_MCP_ALLOWED_HOSTS: ['http://a.example', 'a.example/mcp', 'a:99999', 'u@a.example', 'a?b'],
    SIGNPOST_MCP_ALLOWED_ORIGINS: ['a.example', 'https://a.example/mcp', 'file:///x'],
    SIGNPOST_STOP_DELAY_MS: ['-1', '600001', '5s'],
    SIGNPOST_ACCESS_LOG: ['yes', 'ON'],
    SIGNPOST_LOG_LEVEL: ['loud', 'INFO'],
    SIGNPOST_LOG_FORMAT: ['xml', 'JSON'],
    SIGNPOST_OUTBOUND_PROXY: ['proxy.example', 'socks5://proxy.example'],
    SIGNPOST_OUTBOUND_NO_PROXY: ['http://a.example', 'a.example:80'],
    SIGNPOST_OUTBOUND_PROXY_RESOLVES: ['true', '1'],
    SIGNPOST_DATABASE_URL: ['mysql://a/b'],
    SIGNPOST_ACCOUNT_RATE_PER_MINUTE: ['-1', '1.5', 'none', '1e3'],
    SIGNPOST_ACCOUNT_RATE_PER_DAY: ['-1', '1.5', 'none', '1e3'],
    SIGNPOST_CONTACT: ['me', 'ftp://a.example'],
    SIGNPOST_SMTP_URL: ['mail.example', 'http://mail.example'],
    SIGNPOST_MAIL_FROM: ['Signpost'],
    SIGNPOST_CAPTURES_PER_ACCOUNT: ['0', '-1', 'many'],
    SIGNPOST_CAPTURE_MEMORY_MEGABYTES: ['99', '1000001', '1GB'],
    SIGNPOST_CACHE_MEGABYTES: ['0', '100001', '1GB'],
    SIGNPOST_NETWORK_PROBE: ['http://a.example', 'a.example:80'],
  };

  test('every variable that does not accept every text is tested with wrong values', () => {
    const text = 'more than 32 characters: / ? # @ %';
    const untested = Object.entries(variables.shape).filter(
      ([name, schema]) => !(name in WRONG) && !schema.safeParse(text).success,
    );
    expect(untested.map(([name]) => name)).toEqual([]);
  });

  const cases = Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value]));
  test('every variable has a description', () => {
    const undescribed = Object.entries(variables.shape).filter(([, schema]) => !aboutVariables.has(schema));
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  test('lists the variables that are set, without the values of secrets', () => {
    const secrets = { SIGNPOST_SECRET: 's'.repeat(40), SIGNPOST_METRICS_TOKEN: 'a token of operators' };
    const { setVariables } = readConfig({
      ...secrets,
      SIGNPOST_PORT: '8080',
      SIGNPOST_HOST: '',
      PATH: '/bin',
    });
    expect(setVariables.toSorted()).toEqual([
      'SIGNPOST_METRICS_TOKEN (not shown)',
      'SIGNPOST_PORT=8080',
      'SIGNPOST_SECRET (not shown)',
    ]);
  });

  test('accepts every variable of the command signpost-mcp', () => {
    const environment = Object.fromEntries(MCP_COMMAND_VARIABLES.map((name) => [name, 'not read here']));
    const unknown = configProblems(environment).filter((problem) => problem.includes('not a variable'));
    expect(unknown).toEqual([]);
  });

  test.each(cases)('rejects %s=%s', (name = '', value = '') => {
    const [problem, ...more] = configProblems({ ...PROXY_AND_MAIL, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} must [^\n]+$`, 'u'));
    expect(more).toEqual([]);
  });

  test('resolves relative paths of filter lists from the working directory', () => {
    const { blockLists } = readConfig({ SIGNPOST_BLOCK_LISTS: '/lists/a b.txt, c.txt' }).capture;
    expect(blockLists).toEqual([resolve('/lists/a b.txt'), resolve('c.txt')]);
  });

  test('accepts trusted proxies on this machine and in private networks', () => {
    const networks = '127.0.0.1, ::1 10.0.0.0/8,fc00::/7 ::ffff:10.0.0.0/104 fe80::1%eth0';
    expect(readConfig({ SIGNPOST_TRUST_PROXY: networks }).trustProxy).toHaveLength(6);
  });

  test.each(['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'my-machine.lan'])('a host may be %s', (host) => {
    expect(readConfig({ SIGNPOST_HOST: host }).host).toBe(host);
  });

  test('accepts hosts for /mcp with or without a port, and an address or "*" as an origin', () => {
    const environment = {
      SIGNPOST_MCP_ALLOWED_HOSTS: 'signpost, mcp.example:8443 [::1]:3000',
      SIGNPOST_MCP_ALLOWED_ORIGINS: '*,https://app.example',
    };
    expect(readConfig(environment).mcp).toMatchObject({
      hosts: ['signpost', 'mcp.example:8443', '[::1]:3000'],
      origins: ['*', 'https://app.example'],
    });
  });
});
