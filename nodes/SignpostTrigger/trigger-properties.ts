import type { INodeProperties } from 'n8n-workflow';
import { contractOperation } from '../shared/contract-operations';
import type { RequestField } from '../shared/contract-fields';
import { listOfOption, optionGroups, optionLists } from '../shared/option-groups';

/**
 * From this version of the trigger on, only n8n's Poll Times decide when to check, and options are in several lists.
 */
export const ONE_CLOCK_VERSION = 1.1;
const SINCE_ONE_CLOCK = { '@version': [{ _cnd: { gte: ONE_CLOCK_VERSION } }] };
const BEFORE_ONE_CLOCK = { '@version': [{ _cnd: { lt: ONE_CLOCK_VERSION } }] };

/**
 * Options that the trigger does not offer. Most make no sense for detecting changes: for example, a page from the cache
 * cannot have changed. The selector is a parameter of its own.
 */
const NOT_OFFERED = ['html', 'baseUrl', 'maxAgeSeconds', 'offset', 'selector', 'findTexts', 'headings'];

/** Options that a check sets itself: a page with an error status is a failed check. */
const SET_BY_CHECK = ['failOnPageStatus'];

const page = contractOperation('readPage');
const screenshotFields = contractOperation('captureScreenshot').fields;
const screenshotNames = screenshotFields.map(({ field }) => field);

/** Options of the page itself, which apply to its text and its picture. */
export const pageFields: readonly RequestField[] = page.fields.filter(
  ({ field, isOption }) =>
    isOption === true &&
    screenshotNames.includes(field) &&
    ![...NOT_OFFERED, ...SET_BY_CHECK].includes(field),
);

/** The fields of a screenshot request that the trigger offers as options, and only for pictures. */
export const pictureFields: readonly RequestField[] = screenshotFields
  .filter(({ field }) => ['fullPage', 'width', 'height'].includes(field))
  .map((requestField) => ({
    ...requestField,
    isOption: true,
    parameter: {
      ...requestField.parameter,
      displayOptions: { show: { '/watch': ['picture'] } },
    },
  }));

/** Options that are not fields of the request. */
const checkOptions: readonly INodeProperties[] = [
  {
    displayName: 'File Name',
    name: 'fileName',
    type: 'string',
    default: '',
    placeholder: 'e.g. prices.png',
    description: 'The name of the picture. If it is empty, the host and path of the page.',
    displayOptions: { show: { '/watch': ['picture'] } },
  },
  {
    displayName: 'Ignore Patterns',
    name: 'ignorePatterns',
    type: 'string',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Pattern' },
    default: [],
    placeholder: 'e.g. Updated .*',
    description:
      'Regular expressions. Text that matches one of them is left out of the comparison, such as a date or the number of visitors.',
    displayOptions: { show: { '/watch': ['text'] } },
  },
];

const withOptions = {
  ...page,
  fields: [...pageFields, ...pictureFields],
  ownOptions: checkOptions,
};

/** The names of the parameters that contain options, in a version of the trigger. */
export const optionListsIn = (version: number): readonly string[] =>
  version < ONE_CLOCK_VERSION
    ? ['options']
    : ['options', ...optionGroups(withOptions).map(({ name }) => name)];

/** The name of the parameter that contains the steps, in newer versions of the trigger. */
export const LIST_OF_STEPS = listOfOption(withOptions, 'steps');

export const triggerProperties: INodeProperties[] = [
  {
    displayName:
      'Each check is one request of the key. The first check after the workflow is published only remembers the page.',
    name: 'notice',
    type: 'notice',
    default: '',
    displayOptions: { show: BEFORE_ONE_CLOCK },
  },
  {
    displayName:
      'Each of the Poll Times is a check, and one request of the key: choose for example every hour. The first check after the workflow is published only remembers the page.',
    name: 'pollNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: SINCE_ONE_CLOCK },
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
    displayOptions: { show: BEFORE_ONE_CLOCK },
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
  ...optionLists(withOptions, checkOptions, { before: BEFORE_ONE_CLOCK, since: SINCE_ONE_CLOCK }),
];
