import { z } from 'zod';
import { type Limit, parseLimit } from '../../platform/limit.js';
import { field } from '../layout/form-data.js';
import { Field } from '../layout/form.js';

const limit = field((text) => parseLimit(text));

export const LIMITS_FORM = z.object({ perMinute: limit, perDay: limit });

const NAMES = [
  ['perMinute', 'Requests per minute'],
  ['perDay', 'Requests per day'],
] as const;

interface LimitFieldsProps {
  /**
   * The id of the key, or of the inbox request that asks for limits. It keeps the ids of the inputs unique on the page.
   */
  readonly of: string | number;
  readonly limits: { readonly perMinute: Limit; readonly perDay: Limit };
}

export const LimitFields = ({ of, limits }: LimitFieldsProps) => (
  <>
    {NAMES.map(([name, label]) => (
      <Field
        name={name}
        id={`${name}-${of}`}
        label={label}
        autocomplete="off"
        required
        value={String(limits[name])}
      />
    ))}
  </>
);
