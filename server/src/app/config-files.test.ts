import { ConfigError, readConfig } from './config.js';

const FILES: Readonly<Record<string, string>> = {
  '/run/secrets/database': 'postgres://me:in-a-file@db.example/signpost\n',
  '/run/secrets/smtp': 'smtps://me:in-a-file@mail.example\n',
  '/run/secrets/token': 'a-token-of-metrics\n',
  '/run/secrets/empty': '\n',
};
const readFile = (path: string) => {
  const text = FILES[path];
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

test('the database URL, the mail server and the metrics token can be read from files, and are never shown', () => {
  const config = configOf({
    SIGNPOST_DATABASE_URL_FILE: '/run/secrets/database',
    SIGNPOST_SMTP_URL_FILE: '/run/secrets/smtp',
    SIGNPOST_METRICS_TOKEN_FILE: '/run/secrets/token',
  });
  expect(config.databaseUrl).toBe('postgres://me:in-a-file@db.example/signpost');
  expect(config.mail?.url.href).toBe('smtps://me:in-a-file@mail.example');
  expect(config.metricsToken).toBe('a-token-of-metrics');
  expect(config.setVariables).toContain('SIGNPOST_SMTP_URL_FILE=/run/secrets/smtp');
  expect(config.setVariables.join()).not.toContain('in-a-file');
});

test.each(['SIGNPOST_DATABASE_URL', 'SIGNPOST_SMTP_URL', 'SIGNPOST_METRICS_TOKEN'])(
  'a file of %s that is missing, empty, or set beside the variable is named',
  (name) => {
    expect(problemsOf({ [`${name}_FILE`]: '/nowhere' }).join()).toContain(
      `${name}_FILE names /nowhere, which cannot be read`,
    );
    expect(problemsOf({ [`${name}_FILE`]: '/run/secrets/empty' }).join()).toContain('which is empty');
    const file =
      name === 'SIGNPOST_DATABASE_URL' ? 'database' : name === 'SIGNPOST_SMTP_URL' ? 'smtp' : 'token';
    const value = readFile(`/run/secrets/${file}`).trim();
    expect(problemsOf({ [name]: value, [`${name}_FILE`]: `/run/secrets/${file}` })).toEqual([
      `${name} and ${name}_FILE are both set: set one of them`,
    ]);
  },
);

test('rejects a wrong value in a file without repeating it', () => {
  const problems = problemsOf({ SIGNPOST_DATABASE_URL_FILE: '/run/secrets/token' });
  expect(problems.join()).toMatch(/^SIGNPOST_DATABASE_URL must be like/u);
  expect(problems.join()).not.toContain('a-token');
});
