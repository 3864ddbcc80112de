import type { Resource } from '../../../shared/operation';
import { get } from './get';

export const usage: Resource = { name: 'Usage', value: 'usage', operations: [get] };
