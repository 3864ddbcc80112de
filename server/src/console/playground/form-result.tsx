import type { FormFields } from '../layout/form-data.js';
import { Alert } from '../layout/form.js';

/** What became of a form that was sent. */
export interface FormResult {
  /** As typed, to be shown again. */
  readonly fields: FormFields;
  /** What was wrong, in words; undefined where nothing was. */
  readonly problem?: string | undefined;
  /** What the key has left; undefined where nothing was counted. */
  readonly limitsLeft?: string | undefined;
}

/** What a field shows: as typed after a try, else its default. */
export const shownValue = (result: FormResult | undefined, name: string, value: unknown): string =>
  result === undefined ? String(value) : (result.fields[name] ?? '');

/** A tick that is not sent is no tick; before a try the default counts. */
export const isTicked = (result: FormResult | undefined, name: string, value: boolean): boolean =>
  result === undefined ? value : result.fields[name] === 'yes';

/** What was wrong with the last try, and what the key has left. */
export function FormOutcome({ result }: { readonly result: FormResult | undefined }) {
  if (result === undefined) return null;
  return (
    <>
      {result.problem === undefined ? null : <Alert hasFocus>{result.problem}</Alert>}
      {result.limitsLeft === undefined ? null : <p class="muted">{`This key: ${result.limitsLeft}.`}</p>}
    </>
  );
}
