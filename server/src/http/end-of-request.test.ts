import { ServiceError } from '../platform/errors.js';
import { refusalFields } from './end-of-request.js';

test('logs nothing of the body of a slow request that was rejected', () => {
  const refusal = new ServiceError(
    'invalidRequest',
    'No element matched "#account-4711" of "waitForSelector".',
    {
      detail: 'of #account-4711',
    },
  );
  expect(refusalFields(400, refusal)).toEqual({ kind: 'invalidRequest', reason: undefined, err: undefined });
});

test('logs why a request was not served', () => {
  expect(refusalFields(503, new ServiceError('overloaded', 'Too many captures are waiting.'))).toMatchObject({
    kind: 'overloaded',
    reason: 'Too many captures are waiting.',
  });
});
