const NAME = 'language of code';

const radios = () => document.querySelectorAll<HTMLInputElement>('input[data-language]');

function choose(language: string): void {
  for (const radio of radios()) if (radio.value === language) radio.checked = true;
}

/** Shows all code in the language that was chosen last, on this page or before. */
export function enableLanguages(): void {
  try {
    choose(localStorage.getItem(NAME) ?? '');
  } catch {
    // A browser that keeps nothing shows the first.
  }
  for (const radio of radios())
    radio.addEventListener('change', () => {
      choose(radio.value);
      try {
        localStorage.setItem(NAME, radio.value);
      } catch {
        // Then it holds for this page.
      }
    });
}
