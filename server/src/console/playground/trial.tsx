import type { FormFields } from '../layout/form-data.js';
import { Alert } from '../layout/form.js';

/** What became of a form that was sent. */
export interface Trial {
  /** As typed, to be shown again. */
  readonly fields: FormFields;
  /** What was wrong, in words; undefined where nothing was. */
  readonly problem?: string | undefined;
  /** What the key has left; undefined where nothing was counted. */
  readonly limitsLeft?: string | undefined;
}

/** What a field shows: as typed after a try, else its default. */
export const shownValue = (trial: Trial | undefined, name: string, value: unknown): string =>
  trial === undefined ? String(value) : (trial.fields[name] ?? '');

/** A tick that is not sent is no tick; before a try the default counts. */
export const isTicked = (trial: Trial | undefined, name: string, value: boolean): boolean =>
  trial === undefined ? value : trial.fields[name] === 'yes';

/** What was wrong with the last try, and what the key has left. */
export function TrialOutcome({ trial }: { readonly trial: Trial | undefined }) {
  if (trial === undefined) return null;
  return (
    <>
      {trial.problem === undefined ? null : <Alert hasFocus>{trial.problem}</Alert>}
      {trial.limitsLeft === undefined ? null : <p class="muted">{`This key: ${trial.limitsLeft}.`}</p>}
    </>
  );
}
