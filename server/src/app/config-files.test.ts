import { ConfigError, readConfig } from './config.js';

const FILES: Readonly<Record<string, string>> = {
  '/run/secrets/database': 'postgres://me:in-a-file@db.example/signpost\n',
  '/run/secrets/smtp': 'smtps://me:in-a-file@mail.example\n',
  '/run/secrets/token': '\uFEFFa-token-of-metrics\r\n',
  '/run/secrets/proxy': 'http://me:in-a-file@proxy.example:3128\n',
  '/run/secrets/empty': '\n',
};
const readFile = (path: string) => {
  const text = FILES[path];
  if (path === '/run/secrets') throw Object.assign(new Error('EISDIR: a folder'), { code: 'EISDIR' });
  if (text === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
  return text;
};
const configOf = (environment: Record<string, string>) =>
  readConfig(
    { SIGNPOST_SECRET: 'x'.repeat(32), SIGNPOST_MAIL_FROM: 's@example.org', ...environment },
    readFile,
  );

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    configOf(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('the database URL, the mail server, the proxy and the metrics token can be read from files, and no password or token is in the list of set variables', () => {
  const config = configOf({
    SIGNPOST_DATABASE_URL_FILE: '/run/secrets/database',
    SIGNPOST_SMTP_URL_FILE: '/run/secrets/smtp',
    SIGNPOST_METRICS_TOKEN_FILE: '/run/secrets/token',
    SIGNPOST_OUTBOUND_PROXY_FILE: '/run/secrets/proxy',
    SIGNPOST_OUTBOUND_NO_PROXY: 'intranet.example',
  });
  expect(config.databaseUrl).toBe('postgres://me:in-a-file@db.example/signpost');
  expect(config.mail?.url.href).toBe('smtps://me:in-a-file@mail.example');
  expect(config.metricsToken).toBe('a-token-of-metrics');
  expect(config.outbound.proxy?.url).toBe('http://me:in-a-file@proxy.example:3128');
  expect(config.setVariables).toContain('SIGNPOST_SMTP_URL_FILE=/run/secrets/smtp');
  expect(config.setVariables.join()).not.toMatch(/in-a-file|a-token-of-metrics/u);
});

const FILE_OF = {
  SIGNPOST_DATABASE_URL: '/run/secrets/database',
  SIGNPOST_SMTP_URL: '/run/secrets/smtp',
  SIGNPOST_METRICS_TOKEN: '/run/secrets/token',
  SIGNPOST_OUTBOUND_PROXY: '/run/secrets/proxy',
};

test.each(Object.entries(FILE_OF))(
  'reports a file of %s that is missing, a folder or empty, or that is set together with the variable',
  (name, file) => {
    const ofFile = (path: string) => problemsOf({ [`${name}_FILE`]: path });
    expect(ofFile('/nowhere')).toEqual([
      `${name}_FILE must name a file that holds ${name}, but there is no such file`,
    ]);
    expect(ofFile('/run/secrets')).toEqual([
      expect.stringMatching(new RegExp(`^${name}_FILE names /run/secrets, which cannot be read: `, 'u')),
    ]);
    expect(ofFile('/run/secrets/empty').join()).toContain('which is empty');
    expect(problemsOf({ [name]: readFile(file).trim(), [`${name}_FILE`]: file })).toEqual([
      `${name} and ${name}_FILE are both set: set one of them`,
    ]);
  },
);

test('does not repeat a database URL that was set in place of the name of its file', () => {
  const problems = problemsOf({ SIGNPOST_DATABASE_URL_FILE: 'postgres://me:hush@db.example/signpost' });
  expect(problems).toHaveLength(1);
  expect(problems.join()).not.toContain('hush');
});

test('rejects a wrong database URL in a file without repeating it', () => {
  const problems = problemsOf({ SIGNPOST_DATABASE_URL_FILE: '/run/secrets/token' });
  expect(problems.join()).toMatch(/^SIGNPOST_DATABASE_URL must be like/u);
  expect(problems.join()).not.toContain('a-token');
});
