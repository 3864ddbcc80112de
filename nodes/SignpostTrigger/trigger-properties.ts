import type { INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../shared/contract-operations';
import type { RequestField } from '../shared/operation';

/** Options that make no sense for who asks whether a page has changed: a page from the cache has not. */
const NOT_OFFERED = ['html', 'baseUrl', 'maxAgeSeconds', 'offset'];

const pictureFields = contractOperation('captureScreenshot').fields.map(({ field }) => field);

/** What can be said of the page itself, whether it is watched as text or as a picture. */
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
        description: 'When what a page shows is not what it showed at the check before',
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
        description: 'How it looks: a single pixel is a change. The new picture is handed on.',
      },
      {
        name: 'Text',
        value: 'text',
        description: 'What it says, up to 50,000 characters. The text before and after is handed on.',
      },
    ],
    default: 'text',
    description: 'As what the page is compared with what it was at the check before',
  },
  {
    displayName: 'Element',
    name: 'selector',
    type: 'string',
    default: '',
    placeholder: 'e.g. #price',
    description:
      'A CSS selector: only what it selects is watched, in a picture the first such element. Empty: the whole page as text, or its first screen as a picture.',
  },
  {
    displayName: 'Check Every (Minutes)',
    name: 'everyMinutes',
    type: 'number',
    typeOptions: { minValue: 1, numberPrecision: 0 },
    default: 60,
    description:
      'How long to wait between two checks. Poll Times decides when the node looks whether this time is over: leave it at every minute, or the page is checked less often.',
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
