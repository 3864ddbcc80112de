import { LIMITS } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import type { Key } from '../../keys/key.js';
import { Field, Form } from '../layout/form.js';
import { FormOutcome, type FormResult, shownValue } from './form-result.js';
import { KeySelect, Select } from './key-select.js';
import { PLACE_QUESTIONS, PLACE_RADIUS_METRES } from './place-lookup.js';

const TEXT_ROWS = 5;

interface PlaceFormProps {
  readonly keys: readonly Key[];
  readonly result: FormResult | undefined;
  /** What was found, below the form. */
  readonly children?: ComponentChildren;
}

/** The form that measures distances, finds the postcodes of points, and those in a text. */
export function PlaceForm({ keys, result, children }: PlaceFormProps) {
  const { nearestRadiusMetres: radius, urlCharacters: characters } = LIMITS;
  return (
    <section class="card" id="place-part" aria-labelledby="place-title">
      <h2 id="place-title">Measure distances, find postcodes</h2>
      <FormOutcome result={result} />
      <Form action="/playground/places#place-part" class="try-form">
        <div class="fields pair">
          <Select
            id="place-what"
            name="what"
            label="What you want to know"
            value={shownValue(result, 'what', 'distance')}
            options={PLACE_QUESTIONS}
          />
          <KeySelect id="place-key" keys={keys} chosen={shownValue(result, 'key', '')} />
        </div>
        <div class="field">
          <label for="place-text">Places, a line each, or the text</label>
          <p class="hint" id="place-text-hint">
            A place is a postcode or a point such as 51.501, -0.1416.
          </p>
          <textarea
            id="place-text"
            name="text"
            rows={TEXT_ROWS}
            maxlength={characters.max}
            required
            aria-describedby="place-text-hint"
          >
            {shownValue(result, 'text', '')}
          </textarea>
        </div>
        <div class="fields">
          <Field
            id="place-from"
            name="from"
            label="Where distances begin"
            placeholder="SW1A 1AA"
            autocomplete="off"
            value={shownValue(result, 'from', '')}
          />
          <Field
            id="place-radius"
            name="placeRadiusMetres"
            label="Radius around points in metres"
            type="number"
            min={radius.min}
            max={radius.max}
            step="any"
            value={shownValue(result, 'placeRadiusMetres', PLACE_RADIUS_METRES)}
          />
        </div>
        <button type="submit">Find out</button>
      </Form>
      {children}
    </section>
  );
}
