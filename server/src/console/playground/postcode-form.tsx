import { LIMITS } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import type { Key } from '../../keys/key.js';
import { Checkbox, Field, Form } from '../layout/form.js';
import { KeySelect } from './key-select.js';
import { NEAREST_DEFAULTS } from './postcode-lookup.js';
import { isTicked, shownValue, type FormResult, FormOutcome } from './form-result.js';

interface PostcodeFormProps {
  readonly keys: readonly Key[];
  readonly result: FormResult | undefined;
  /** What the lookup brought, below the form. */
  readonly children?: ComponentChildren;
}

/** The form that looks a postcode up. */
export function PostcodeForm({ keys, result, children }: PostcodeFormProps) {
  const { nearestRadiusMetres: radius, nearestResults: results } = LIMITS;
  return (
    <section class="card" id="postcode-part" aria-labelledby="postcode-title">
      <h2 id="postcode-title">Look a postcode up</h2>
      <FormOutcome result={result} />
      <Form action="/playground/postcode#postcode-part" class="try-form">
        <div class="fields pair">
          <Field
            name="postcode"
            label="Postcode"
            placeholder="SW1A 1AA"
            autocomplete="off"
            required
            value={shownValue(result, 'postcode', '')}
          />
          <KeySelect id="postcode-key" keys={keys} chosen={shownValue(result, 'key', '')} />
        </div>
        <Checkbox
          name="nearest"
          label="Show the nearest postcodes too; that is one more request"
          isChecked={isTicked(result, 'nearest', true)}
        />
        <Checkbox
          name="include"
          label="Show codes, all other areas and history too"
          isChecked={isTicked(result, 'include', false)}
        />
        <div class="fields">
          <Field
            name="radiusMetres"
            label="Radius in metres"
            type="number"
            min={radius.min}
            max={radius.max}
            step="any"
            value={shownValue(result, 'radiusMetres', NEAREST_DEFAULTS.radiusMetres)}
          />
          <Field
            name="limit"
            label="How many at most"
            type="number"
            min={results.min}
            max={results.max}
            step={1}
            value={shownValue(result, 'limit', NEAREST_DEFAULTS.limit)}
          />
        </div>
        <button type="submit">Look it up</button>
      </Form>
      {children}
    </section>
  );
}
