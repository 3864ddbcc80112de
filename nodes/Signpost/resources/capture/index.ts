import type { Resource } from '../../../shared/operation';
import { pdf } from './pdf';
import { screenshot } from './screenshot';

export const capture: Resource = { name: 'Capture', value: 'capture', operations: [screenshot, pdf] };
