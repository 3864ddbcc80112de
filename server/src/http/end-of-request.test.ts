import { ServiceError } from '../platform/errors.js';
import { rejectionFields } from './end-of-request.js';

test('does not log the message of a rejection with status 400, because it may repeat parts of the body', () => {
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

test('logs the message of a rejection with status 503', () => {
  expect(
    rejectionFields(503, new ServiceError('overloaded', 'Too many captures are waiting.')),
  ).toMatchObject({
    kind: 'overloaded',
    reason: 'Too many captures are waiting.',
  });
});
