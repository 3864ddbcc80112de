import { ServiceError } from '../../platform/errors.js';
import { toUnavailable } from './postgresql-client.js';

const withCode = (code: string) => Object.assign(new Error(`secret words of ${code}`), { code });

test('converts errors of a temporarily unusable database to a message to try again, without details', () => {
  const errors = [
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'].map(
      withCode,
    ),
    ...['08006', '53300', '53100', '57P01', '57P02', '57P03', '57014', '25006'].map(withCode),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
    new Error('select * from "accounts" where "id" = $1 - Query read timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Knex: Timeout acquiring a connection. The pool is probably full.'),
  ];
  for (const error of errors) {
    const rejection = toUnavailable(error);
    expect([error.message, rejection]).toEqual([error.message, expect.any(ServiceError)]);
    expect(rejection).toMatchObject({
      kind: 'overloaded',
      message: 'The database is not answering at the moment. Try again.',
      retryAfterSeconds: 5,
      cause: error,
    });
  }
});

test('leaves other errors of a statement unchanged', () => {
  for (const code of ['23505', '42601', '40P01', '22P02'])
    expect(toUnavailable(withCode(code))).toMatchObject({ code });
  expect(toUnavailable('no error')).toBe('no error');
});
