import type { RequestField } from '../../../shared/operation';

/** The page to capture. */
export const urlField: RequestField = {
  field: 'url',
  parameter: {
    displayName: 'URL',
    name: 'url',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. https://example.com',
    description: 'The address of the page, with http:// or https://',
  },
};
