import type { INodeProperties } from 'n8n-workflow';
import type { Operation, RequestField } from '../../../shared/operation';
import { captureFile } from './capture-file';
import { captureOptions, captureOutput } from './output-parameters';
import { urlField } from './url-field';

const PATH = '/api/pdf';
const PAGE_SIZES = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Ledger', 'Legal', 'Letter', 'Tabloid'];

const option = (parameter: INodeProperties): RequestField => ({
  field: parameter.name,
  isOption: true,
  parameter,
});

const margin = (side: 'Top' | 'Bottom' | 'Left' | 'Right', unset: string): RequestField =>
  option({
    displayName: `Margin ${side}`,
    name: `margin${side}`,
    type: 'string',
    default: '',
    placeholder: 'e.g. 1cm',
    description: `Margin at the ${side.toLowerCase()}: a number with cm, mm, in or px. Empty: ${unset}.`,
  });

const fields: readonly RequestField[] = [
  urlField,
  {
    field: 'format',
    parameter: {
      displayName: 'Page Size',
      name: 'format',
      type: 'options',
      options: PAGE_SIZES.map((size) => ({ name: size, value: size })),
      default: 'A4',
      description: 'The size of the paper',
    },
  },
  {
    field: 'landscape',
    parameter: {
      displayName: 'Landscape',
      name: 'landscape',
      type: 'boolean',
      default: false,
      description: 'Whether to turn the paper to its side',
    },
  },
  option({
    displayName: 'Print Background',
    name: 'printBackground',
    type: 'boolean',
    default: true,
    description: 'Whether to print background graphics and colours',
  }),
  option({
    displayName: 'Scale',
    name: 'scale',
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 2, numberPrecision: 2 },
    default: 1,
    description: 'How large the page is printed, from 0.1 to 2; 1 is its own size',
  }),
  option({
    displayName: 'Header and Footer',
    name: 'displayHeaderFooter',
    type: 'boolean',
    default: false,
    description: "Whether to print the page's title at the head and page numbers at the foot of each sheet",
  }),
  margin('Top', 'none, or 1cm with header and footer'),
  margin('Bottom', 'none, or 1cm with header and footer'),
  margin('Left', 'none'),
  margin('Right', 'none'),
];

export const pdf: Operation = {
  value: 'pdf',
  name: 'PDF',
  action: 'Convert a web page to a PDF',
  description: 'Convert a web page to a PDF of as many pages as it needs',
  method: 'POST',
  path: PATH,
  fields,
  ownParameters: captureOutput,
  ownOptions: captureOptions('e.g. report.pdf'),
  concurrency: 2,
  run: (call) =>
    captureFile(call, { path: PATH, fields, timeHeader: 'x-generation-time-ms', extension: 'pdf' }),
};
