import type { Operation, RequestField } from '../../../shared/operation';
import { captureFile } from './capture-file';
import { captureOptions, captureOutput } from './output-parameters';
import { urlField } from './url-field';

const PATH = '/api/screenshot';
const SMALLEST_PIXELS = 16;
const LARGEST_PIXELS = 7680;
const pixels = { minValue: SMALLEST_PIXELS, maxValue: LARGEST_PIXELS, numberPrecision: 0 };

const fields: readonly RequestField[] = [
  urlField,
  {
    field: 'fullPage',
    parameter: {
      displayName: 'Full Page',
      name: 'fullPage',
      type: 'boolean',
      default: false,
      description: 'Whether to capture the whole scrollable page instead of the window alone',
    },
  },
  {
    field: 'format',
    parameter: {
      displayName: 'Image Format',
      name: 'format',
      type: 'options',
      options: [
        { name: 'JPEG', value: 'jpeg', description: 'Smaller, for photographs and previews' },
        { name: 'PNG', value: 'png', description: 'Exact, for text and comparison' },
      ],
      default: 'png',
      description: 'The format of the image',
    },
  },
  {
    field: 'width',
    isOption: true,
    parameter: {
      displayName: 'Window Width (Pixels)',
      name: 'width',
      type: 'number',
      typeOptions: pixels,
      default: 1920,
      description: "Width of the browser's window, from 16 to 7680 pixels",
    },
  },
  {
    field: 'height',
    isOption: true,
    parameter: {
      displayName: 'Window Height (Pixels)',
      name: 'height',
      type: 'number',
      typeOptions: pixels,
      default: 1080,
      description: "Height of the browser's window, from 16 to 7680 pixels",
    },
  },
];

export const screenshot: Operation = {
  value: 'screenshot',
  name: 'Screenshot',
  action: 'Capture a screenshot of a web page',
  description: 'Capture a web page as a PNG or JPEG image',
  method: 'POST',
  path: PATH,
  fields,
  ownParameters: captureOutput,
  ownOptions: captureOptions('e.g. home-page.png'),
  concurrency: 2,
  run: (call) => captureFile(call, { path: PATH, fields, timeHeader: 'x-capture-time-ms', extension: 'png' }),
};
