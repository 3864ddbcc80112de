import { LIMITS } from '@signpost/contract';
import { Field } from '../layout/field.js';
import { Checkbox } from '../layout/checkbox.js';
import { PICTURE_DEFAULTS } from './capture-fields.js';
import { isTicked, shownValue, type Trial } from './trial.js';

const { minPixels, maxPixels } = LIMITS.viewport;

/** What a picture can be asked for with. */
export function PictureFields({ trial }: { readonly trial: Trial | undefined }) {
  const size = { type: 'number', min: minPixels, max: maxPixels, step: 1 } as const;
  return (
    <fieldset class="for-picture">
      <legend>Picture</legend>
      <div class="fields">
        <Field
          name="width"
          label="Width in pixels"
          {...size}
          value={shownValue(trial, 'width', PICTURE_DEFAULTS.width)}
        />
        <Field
          name="height"
          label="Height in pixels"
          {...size}
          value={shownValue(trial, 'height', PICTURE_DEFAULTS.height)}
        />
      </div>
      <div class="checks">
        <Checkbox
          name="fullPage"
          label="The whole page, as far as it scrolls"
          isChecked={isTicked(trial, 'fullPage', PICTURE_DEFAULTS.fullPage)}
        />
      </div>
    </fieldset>
  );
}
