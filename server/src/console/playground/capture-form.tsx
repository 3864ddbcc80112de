import { LIMITS } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import { Field, Form } from '../layout/form.js';
import { CAPTURE_KINDS } from './capture-fields.js';
import { KeySelect } from './key-select.js';
import { CaptureOptions } from './capture-options.js';
import { shownValue, type Trial, TrialOutcome } from './trial.js';

const KIND_LABELS: Readonly<Record<(typeof CAPTURE_KINDS)[number], string>> = {
  png: 'PNG picture',
  jpeg: 'JPEG picture',
  pdf: 'PDF',
};

function Kinds({ chosen }: { readonly chosen: string }) {
  return (
    <fieldset class="choices">
      <legend>As</legend>
      {CAPTURE_KINDS.map((kind) => (
        <div key={kind} class="check">
          <input id={`kind-${kind}`} name="kind" type="radio" value={kind} checked={kind === chosen} />
          <label for={`kind-${kind}`}>{KIND_LABELS[kind]}</label>
        </div>
      ))}
    </fieldset>
  );
}

interface CaptureFormProps {
  readonly keys: readonly Key[];
  readonly trial: Trial | undefined;
}

/** The form that captures a page. Without scripts the file opens in a window of its own, with them below the form. */
export function CaptureForm({ keys, trial }: CaptureFormProps) {
  return (
    <section class="card" id="capture" aria-labelledby="capture-title">
      <h2 id="capture-title">Capture a page</h2>
      <TrialOutcome trial={trial} />
      <Form action="/playground/capture" class="try-form" id="capture-form" target="_blank">
        <div class="fields pair">
          <Field
            name="url"
            label="Address of the page"
            type="url"
            placeholder="https://example.com"
            required
            maxlength={LIMITS.urlCharacters.max}
            value={shownValue(trial, 'url', '')}
          />
          <KeySelect id="capture-key" keys={keys} chosen={shownValue(trial, 'key', '')} />
        </div>
        <Kinds chosen={shownValue(trial, 'kind', CAPTURE_KINDS[0])} />
        <CaptureOptions trial={trial} />
        <button type="submit">Capture</button>
        <p class="hint" id="capture-hint">
          The file opens in a new tab. A capture takes some seconds, and counts as one request.
        </p>
      </Form>
      <div class="captured" id="captured" />
    </section>
  );
}
