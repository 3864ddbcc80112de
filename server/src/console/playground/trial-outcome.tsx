import { Alert } from '../layout/form.js';
import type { Trial } from './trial.js';

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
