import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { parseLimit } from '../../platform/limit.js';
import { field, formFields, problemsOf, readForm } from './form-data.js';

const FORM = z.object({
  perMinute: field((text) => parseLimit(text)),
  perDay: field((text) => parseLimit(text)),
  reason: z.string(),
});

/** The error that reading a form throws, or the form's values if it throws none. */
function rejectionOf(body: unknown): unknown {
  try {
    return readForm(body, FORM);
  } catch (error) {
    return error;
  }
}

test('parses a form into the values of its schema, without NUL characters and other fields', () => {
  const body = { perMinute: ' 5 ', perDay: 'Unlimited', reason: 'a\0b', other: 'x' };
  expect(readForm(body, FORM)).toEqual({ perMinute: 5, perDay: 'unlimited', reason: 'ab' });
});

test('a rejected form has the problem of each wrong field, and all texts as they were entered', () => {
  const body = { perMinute: '-1', perDay: 'many', reason: 'a map' };
  expect(problemsOf(rejectionOf(body), body, 'reason')).toEqual({
    fields: { perMinute: expect.stringContaining('whole number'), perDay: expect.any(String) },
    values: body,
    status: 400,
  });
});

test('an invalidRequest error belongs to the given field, a rateLimited one to the whole form, and notFound is rethrown', () => {
  const body = { name: 'x' };
  const wrong = new ServiceError('invalidRequest', 'It is taken.');
  expect(problemsOf(wrong, body, 'name')).toMatchObject({ fields: { name: 'It is taken.' } });
  expect(problemsOf(wrong, body)).toMatchObject({ fields: {}, general: 'It is taken.' });
  const tooMany = new ServiceError('rateLimited', 'Wait.', { retryAfterSeconds: 9 });
  expect(problemsOf(tooMany, body, 'name')).toMatchObject({
    general: 'Wait.',
    retryAfterSeconds: 9,
    status: 429,
  });
  expect(() => problemsOf(new ServiceError('notFound', 'Gone.'), body)).toThrow('Gone.');
});

test.each([
  ['a field that was sent twice has the last text', { name: ['a', 'b'] }, 'b'],
  ['a field that was not sent is empty', {}, ''],
  ['a body that is no form has empty fields', 'name=a', ''],
])('%s', (_, body, text) => {
  expect(formFields(body, ['name'])).toEqual({ name: text });
});
