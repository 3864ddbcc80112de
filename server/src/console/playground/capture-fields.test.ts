import { capturePdfRequest, captureScreenshotRequest } from '@signpost/contract';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CAPTURE_FIELDS, captureRequest, FIELDS_BY_PURPOSE } from './capture-fields.js';
import { CaptureOptions } from './capture-options.js';

const url = 'https://example.com/page';

/** What stands elsewhere in the form, or is a list or an object, which are for programs. */
const NOT_OPTIONS = [
  ...['url', 'html', 'baseUrl', 'format', 'clip', 'hideSelectors', 'clickSelectors'],
  ...['headers', 'cookies', 'basicAuth'],
];

/** The form as it is shown first, each field as a browser would send it. */
const untouched = (fields: readonly (typeof FIELDS_BY_PURPOSE.pdf)[number][]) =>
  Object.fromEntries(
    fields.map(({ name, option }) => [name, option.default === true ? 'yes' : String(option.default ?? '')]),
  );

test('a form left as it is asks for what the API does by default', () => {
  const { page, ...purposes } = FIELDS_BY_PURPOSE;
  const picture = captureRequest({ url, kind: 'png', ...untouched([...page, ...purposes.picture]) });
  expect(picture.operationId).toBe('captureScreenshot');
  expect(captureScreenshotRequest.parse(picture.body)).toEqual(captureScreenshotRequest.parse({ url }));
  const pdf = captureRequest({ url, kind: 'pdf', ...untouched([...page, ...purposes.pdf]) });
  expect(pdf.operationId).toBe('capturePdf');
  expect(capturePdfRequest.parse(pdf.body)).toEqual(capturePdfRequest.parse({ url }));
});

test('a choice without a default is left out until one is made', () => {
  const form = renderToString(h(CaptureOptions, { result: undefined }));
  for (const name of ['device', 'media'])
    expect(form).toContain(`name="${name}"><option value selected>Unset`);
  expect(form).toContain('name="colorScheme"><option value="light" selected>');
});

test('every option that is a number, a choice, a tick or a text has its field, with the limits of its schema', () => {
  const shownOf = (schema: typeof captureScreenshotRequest | typeof capturePdfRequest) =>
    Object.keys(schema.shape).filter((name) => !NOT_OPTIONS.includes(name));
  const { page, picture, pdf } = FIELDS_BY_PURPOSE;
  expect([...picture, ...page].map(({ property }) => property)).toEqual(shownOf(captureScreenshotRequest));
  expect([...pdf, ...page].map(({ property }) => property)).toEqual([
    'format',
    ...shownOf(capturePdfRequest),
  ]);
  expect(picture.find(({ name }) => name === 'width')?.option).toMatchObject({ minimum: 16, maximum: 7_680 });
  expect(new Set(CAPTURE_FIELDS).size).toBe(CAPTURE_FIELDS.length);
});

test('fields of the other kind are not sent on', () => {
  const { body } = captureRequest({
    url,
    kind: 'jpeg',
    javaScript: 'yes',
    width: '800',
    fullPage: 'yes',
    paper: 'A3',
    scale: '9',
  });
  expect(captureScreenshotRequest.parse(body)).toEqual({
    ...captureScreenshotRequest.parse({ url }),
    width: 800,
    fullPage: true,
    format: 'jpeg',
  });
});

test('what is no number or no kind goes on as it was typed, so that the contract refuses it by name', () => {
  expect(captureRequest({ url, kind: 'png', width: ' wide ' }).body).toMatchObject({ width: 'wide' });
  expect(captureRequest({ url, kind: 'gif' }).body).toMatchObject({ format: 'gif' });
});
