import type { INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../shared/contract-operations';
import type { RequestField } from '../shared/operation';

/** Options that make no sense for detecting changes. A page from the cache, for example, has not changed. */
const NOT_OFFERED = ['html', 'baseUrl', 'maxAgeSeconds', 'offset', 'selector', 'findTexts', 'headings'];

const pictureFields = contractOperation('captureScreenshot').fields.map(({ field }) => field);

/** Options of the page itself, which apply to its text and its picture. */
export const pageFields: readonly RequestField[] = contractOperation('readPage').fields.filter(
  ({ field, isOption }) => isOption === true && pictureFields.includes(field) && !NOT_OFFERED.includes(field),
);

const byDisplayName = (one: INodeProperties, other: INodeProperties) =>
  one.displayName < other.displayName ? -1 : 1;

export const triggerProperties: INodeProperties[] = [
  {
    displayName:
      'Each check is one request of the key. The first check after the workflow is published only remembers the page.',
    name: 'notice',
    type: 'notice',
    default: '',
  },
  {
    displayName: 'Event',
    name: 'event',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Page Changed',
        value: 'pageChanged',
        description: 'When a page shows something else than at the previous check',
      },
    ],
    default: 'pageChanged',
  },
  {
    displayName: 'URL',
    name: 'url',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. https://example.com/prices',
    description: 'The address of the page',
  },
  {
    displayName: 'Watch',
    name: 'watch',
    type: 'options',
    options: [
      {
        name: 'Picture',
        value: 'picture',
        description: 'How the page looks. A single pixel is a change. The output has the new picture.',
      },
      {
        name: 'Text',
        value: 'text',
        description:
          'The text of the page, up to 50,000 characters. The output has the text before and after.',
      },
    ],
    default: 'text',
    description: 'What to compare with the previous check',
  },
  {
    displayName: 'Element',
    name: 'selector',
    type: 'string',
    default: '',
    placeholder: 'e.g. #price',
    description:
      'A CSS selector: only what it selects is watched, or the first such element for a picture. If it is empty, the whole page as text, or its first screen as a picture.',
  },
  {
    displayName: 'Check Every (Minutes)',
    name: 'everyMinutes',
    type: 'number',
    typeOptions: { minValue: 1, numberPrecision: 0 },
    default: 60,
    description:
      'How long to wait between two checks. Leave Poll Times at every minute: it decides how often n8n looks whether this time has passed.',
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    placeholder: 'e.g. data',
    hint: 'The name of the output binary field to put the picture in',
    description: 'The picture of the page as it is now',
    displayOptions: { show: { watch: ['picture'] } },
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: pageFields.map(({ parameter }) => parameter).sort(byDisplayName),
  },
];
