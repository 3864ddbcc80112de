import { z } from 'zod';
import { type Limit, parseLimit } from '../../platform/limit.js';
import { field, type FormProblems } from '../layout/form-data.js';
import { Field } from '../layout/form.js';

const limit = field((text) => parseLimit(text));

/** The schema of a form with the limits of a key. */
export const LIMITS_FORM = z.object({ perMinute: limit, perDay: limit });

/** The element id of a limit's field, on a page that has fields for the limits of several keys or accounts. */
export const limitFieldId = (of: string | number, name: string): string => `${name}-${of}`;

interface LimitFieldsProps {
  /** The key or account of the limits, which tells these fields apart from others on the same page. */
  readonly of: string | number;
  readonly limits: { readonly perMinute: Limit; readonly perDay: Limit };
  readonly problems: FormProblems | undefined;
}

/** Fields for both limits of a key, as operators set them. */
export const LimitFields = ({ of, limits, problems }: LimitFieldsProps) => (
  <>
    <Field
      name="perMinute"
      id={limitFieldId(of, 'perMinute')}
      label="Requests per minute"
      autocomplete="off"
      required
      value={String(limits.perMinute)}
      problems={problems}
    />
    <Field
      name="perDay"
      id={limitFieldId(of, 'perDay')}
      label="Requests per day"
      autocomplete="off"
      required
      value={String(limits.perDay)}
      problems={problems}
    />
  </>
);
