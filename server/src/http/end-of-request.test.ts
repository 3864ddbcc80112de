import { ServiceError } from '../platform/errors.js';
import { rejectionFields } from './end-of-request.js';

test('logs no part of the body of a slow request that was rejected', () => {
  const rejection = new ServiceError(
    'invalidRequest',
    'No element matched "#account-4711" of "waitForSelector".',
    {
      detail: 'of #account-4711',
    },
  );
  expect(rejectionFields(400, rejection)).toEqual({
    kind: 'invalidRequest',
    reason: undefined,
    err: undefined,
  });
});

test('logs why a request was not served', () => {
  expect(
    rejectionFields(503, new ServiceError('overloaded', 'Too many captures are waiting.')),
  ).toMatchObject({
    kind: 'overloaded',
    reason: 'Too many captures are waiting.',
  });
});
