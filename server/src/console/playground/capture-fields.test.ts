import { captureRequest, PDF_DEFAULTS, PICTURE_DEFAULTS } from './capture-fields.js';
import { capturePdfRequest, captureScreenshotRequest } from '@signpost/contract';

const url = 'https://example.com/page';

test('a form left as it is asks for what the API does by default', () => {
  const picture = captureRequest({ url, kind: 'png', width: '1920', height: '1080' });
  expect(picture.operationId).toBe('captureScreenshot');
  expect(captureScreenshotRequest.parse(picture.body)).toEqual({ ...PICTURE_DEFAULTS, url });
  const pdf = captureRequest({
    url,
    kind: 'pdf',
    paper: 'A4',
    scale: '1',
    printBackground: 'yes',
    marginTop: '',
  });
  expect(pdf.operationId).toBe('capturePdf');
  expect(capturePdfRequest.parse(pdf.body)).toEqual({ ...PDF_DEFAULTS, url });
});

test('fields of the other kind are not sent on', () => {
  const { body } = captureRequest({
    url,
    kind: 'jpeg',
    width: '800',
    fullPage: 'yes',
    paper: 'A3',
    scale: '9',
  });
  expect(captureScreenshotRequest.parse(body)).toEqual({
    url,
    width: 800,
    height: PICTURE_DEFAULTS.height,
    fullPage: true,
    format: 'jpeg',
  });
});

test('what is no number or no kind goes on as it was typed, so that the contract refuses it by name', () => {
  expect(captureRequest({ url, kind: 'png', width: ' wide ' }).body).toMatchObject({ width: 'wide' });
  expect(captureRequest({ url, kind: 'gif' }).body).toMatchObject({ format: 'gif' });
});
