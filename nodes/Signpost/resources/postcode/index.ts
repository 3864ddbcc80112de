import type { Resource } from '../../../shared/operation';
import { autocomplete } from './autocomplete';
import { findNearest } from './find-nearest';
import { lookUp } from './look-up';
import { lookUpMany } from './look-up-many';
import { validate } from './validate';

export const postcode: Resource = {
  name: 'Postcode',
  value: 'postcode',
  operations: [lookUp, lookUpMany, validate, findNearest, autocomplete],
};
