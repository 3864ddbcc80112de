import { LIMITS } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import type { Key } from '../../keys/key.js';
import { Field, Form } from '../layout/form.js';
import { AREA_DEFAULTS, AREA_LABELS } from './area-lookup.js';
import { FormOutcome, type FormResult, shownValue } from './form-result.js';
import { KeySelect, Select } from './key-select.js';

const KINDS = Object.entries(AREA_LABELS).map(([value, label]) => ({ value, label }));

interface AreaFormProps {
  readonly keys: readonly Key[];
  readonly result: FormResult | undefined;
  /** What was found, below the form. */
  readonly children?: ComponentChildren;
}

/** The form that shows an outcode, or lists the postcodes of an area. */
export function AreaForm({ keys, result, children }: AreaFormProps) {
  const { areaOffset: offset, areaPostcodes: postcodes } = LIMITS;
  return (
    <section class="card" id="area-part" aria-labelledby="area-title">
      <h2 id="area-title">Look an outcode or an area up</h2>
      <FormOutcome result={result} />
      <Form action="/playground/area#area-part" class="try-form">
        <div class="fields">
          <Select
            id="area-kind"
            name="kind"
            label="What it is"
            value={shownValue(result, 'kind', 'outcode')}
            options={KINDS}
          />
          <Field
            name="area"
            label="Its name or code"
            placeholder="SW1A"
            autocomplete="off"
            required
            maxlength={LIMITS.areaNameCharacters.max}
            value={shownValue(result, 'area', '')}
          />
          <KeySelect id="area-key" keys={keys} chosen={shownValue(result, 'key', '')} />
        </div>
        <div class="fields">
          <Field
            id="area-offset"
            name="offset"
            label="Postcodes of an area to leave out"
            type="number"
            min={offset.min}
            max={offset.max}
            step={1}
            value={shownValue(result, 'offset', AREA_DEFAULTS.offset)}
          />
          <Field
            id="area-limit"
            name="limit"
            label="How many to show at most"
            type="number"
            min={postcodes.min}
            max={postcodes.max}
            step={1}
            value={shownValue(result, 'limit', AREA_DEFAULTS.limit)}
          />
        </div>
        <button type="submit">Show it</button>
      </Form>
      {children}
    </section>
  );
}
