import type { RequestField } from '../../../shared/operation';

/** One postcode. */
export const postcodeField: RequestField = {
  field: 'postcode',
  parameter: {
    displayName: 'Postcode',
    name: 'postcode',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. SW1A 1AA',
    description: 'A UK postcode in any case, with spaces or without',
  },
};
