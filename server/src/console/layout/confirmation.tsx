import type { ComponentChildren } from 'preact';
import { Form } from './form.js';

interface ConfirmationProps {
  readonly question: string;
  readonly action: string;
  /** What the button does, as a verb. */
  readonly button: string;
  readonly backTo: string;
  /** What will happen, and fields that the form needs. */
  readonly children: ComponentChildren;
}

/** Asks once more before something that cannot be taken back at once. */
export function Confirmation({ question, action, button, backTo, children }: ConfirmationProps) {
  return (
    <>
      <h1>{question}</h1>
      <Form action={action}>
        {children}
        <p class="actions">
          <button type="submit" class="danger-button">
            {button}
          </button>
          <a class="button secondary" href={backTo}>
            Keep it as it is
          </a>
        </p>
      </Form>
    </>
  );
}
