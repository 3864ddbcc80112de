import { isApiKeyOperationId, operations, type Operation } from '@signpost/contract';
import { bodyOf } from '../request/form-state.js';
import { requestFields } from '../request/request-fields.js';
import { PRESETS, withPreset } from './presets.js';

const all = Object.entries(PRESETS).flatMap(([id, presets]) =>
  presets.map(({ title }) => [id, title] as const),
);
const table: Readonly<Record<string, Operation>> = operations;

test.each(all)('the operation %s accepts a request with the values of its example “%s”', (id, title) => {
  const operation = table[id];
  if (operation?.request === undefined || !isApiKeyOperationId(id))
    throw new Error(`${id} takes no request.`);
  const state = withPreset(id, {}, title, 'http://127.0.0.1:3000');
  const body = bodyOf(requestFields(operation), state);
  expect(operation.request.safeParse(body).error).toBeUndefined();
});

test('an example keeps the entered URL or HTML, and the other fields that it does not set', () => {
  const typed = { url: 'https://example.com/shop', css: 'p {}', format: 'png' };
  expect(withPreset('captureScreenshot', typed, 'A sharp WebP', 'http://own')).toEqual({
    ...typed,
    format: 'webp',
    scaleFactor: '2',
    quality: '90',
  });
  const html = withPreset('capturePdf', { html: '<p>' }, 'One long sheet', 'http://own');
  expect(html).toEqual({ html: '<p>', singlePage: 'yes' });
});

test('an example of findNearestPostcodes makes a valid request even after another example whose fields exclude its own', () => {
  const point = withPreset('findNearestPostcodes', { postcode: 'M1 1AE' }, 'Around a point', 'http://own');
  const { request } = operations.findNearestPostcodes;
  const fields = requestFields(operations.findNearestPostcodes);
  expect(request.safeParse(bodyOf(fields, point)).success).toBe(true);
  const postcode = withPreset('findNearestPostcodes', point, 'Around a postcode', 'http://own');
  expect(request.safeParse(bodyOf(fields, postcode)).success).toBe(true);
});
