import { LIMITS, PAGE_SIZES } from '@signpost/contract';
import { Checkbox, Field } from '../layout/form.js';
import { PDF_DEFAULTS, PICTURE_DEFAULTS } from './capture-fields.js';
import { Select } from './key-select.js';
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

const TICKS = [
  { name: 'landscape', label: 'Landscape' },
  { name: 'printBackground', label: 'Print backgrounds' },
  { name: 'displayHeaderFooter', label: 'Title and page numbers' },
] as const;

const MARGINS = [
  { name: 'marginTop', label: 'Margin, top' },
  { name: 'marginBottom', label: 'Margin, bottom' },
  { name: 'marginLeft', label: 'Margin, left' },
  { name: 'marginRight', label: 'Margin, right' },
] as const;

/** What a PDF can be asked for with. */
export function PdfFields({ trial }: { readonly trial: Trial | undefined }) {
  const { min, max } = LIMITS.pdfScale;
  return (
    <fieldset class="for-pdf">
      <legend>PDF</legend>
      <div class="fields">
        <Select
          id="paper"
          name="paper"
          label="Paper"
          value={shownValue(trial, 'paper', PDF_DEFAULTS.format)}
          options={PAGE_SIZES.map((size) => ({ value: size, label: size }))}
        />
        <Field
          name="scale"
          label={`Scale, ${min} to ${max}`}
          type="number"
          min={min}
          max={max}
          step="any"
          value={shownValue(trial, 'scale', PDF_DEFAULTS.scale)}
        />
      </div>
      <div class="checks">
        {TICKS.map(({ name, label }) => (
          <Checkbox
            key={name}
            name={name}
            label={label}
            isChecked={isTicked(trial, name, PDF_DEFAULTS[name])}
          />
        ))}
      </div>
      <div class="fields">
        {MARGINS.map(({ name, label }) => (
          <Field
            key={name}
            name={name}
            label={label}
            placeholder="1cm"
            maxlength={20}
            value={shownValue(trial, name, '')}
          />
        ))}
      </div>
    </fieldset>
  );
}
