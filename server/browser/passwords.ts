/** Shows the Show buttons of password fields, and makes them show or hide the password. */
export function enableRevealing(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-reveal]')) {
    const input = document.getElementById(button.dataset['reveal'] ?? '');
    if (!(input instanceof HTMLInputElement)) continue;
    button.hidden = false;
    const setShown = (isShown: boolean) => {
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', String(isShown));
    };
    button.addEventListener('click', () => setShown(input.type === 'password'));
    // Hides the password before it is sent, because browsers may remember what is sent from a text field.
    input.form?.addEventListener('submit', () => setShown(false));
  }
}
