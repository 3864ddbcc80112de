import type { Resource } from '../../shared/operation';
import { capture } from './capture';
import { postcode } from './postcode';
import { usage } from './usage';

/** What the node Signpost offers. */
export const resources: readonly Resource[] = [capture, postcode, usage];
