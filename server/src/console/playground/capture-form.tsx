import { LIMITS } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import { Field, Form } from '../layout/form.js';
import { CAPTURE_KINDS } from './capture-fields.js';
import { KeySelect } from './key-select.js';
import { CaptureOptions } from './capture-options.js';
import { shownValue, type FormResult, FormOutcome } from './form-result.js';

const KIND_LABELS: Readonly<Record<(typeof CAPTURE_KINDS)[number], string>> = {
  png: 'PNG picture',
  jpeg: 'JPEG picture',
  webp: 'WebP picture',
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
  readonly result: FormResult | undefined;
}

/** The form that captures a page. Without scripts the file opens in a window of its own, with them below the form. */
export function CaptureForm({ keys, result }: CaptureFormProps) {
  return (
    <section class="card" id="capture" aria-labelledby="capture-title">
      <h2 id="capture-title">Capture a page</h2>
      <FormOutcome result={result} />
      <Form action="/playground/capture" class="try-form" id="capture-form" target="_blank">
        <div class="fields pair">
          <Field
            name="url"
            label="Address of the page"
            type="url"
            placeholder="https://example.com"
            required
            maxlength={LIMITS.urlCharacters.max}
            value={shownValue(result, 'url', '')}
          />
          <KeySelect id="capture-key" keys={keys} chosen={shownValue(result, 'key', '')} />
        </div>
        <Kinds chosen={shownValue(result, 'kind', CAPTURE_KINDS[0])} />
        <CaptureOptions result={result} />
        <button type="submit">Capture</button>
        <p class="hint" id="capture-hint">
          The file opens in a new tab. A capture takes some seconds, and counts as one request.
        </p>
      </Form>
      <div class="captured" id="captured" />
    </section>
  );
}
