const NAME = 'language of code';

const radios = () => document.querySelectorAll<HTMLInputElement>('input[data-language]');

function choose(language: string): void {
  for (const radio of radios()) if (radio.value === language) radio.checked = true;
}

/** Shows code in the language that was last chosen in this browser, if there is a tab for it; stores each choice. */
export function enableLanguages(): void {
  try {
    choose(localStorage.getItem(NAME) ?? '');
  } catch {
    // If storage is not available, the first language is shown.
  }
  for (const radio of radios())
    radio.addEventListener('change', () => {
      choose(radio.value);
      try {
        localStorage.setItem(NAME, radio.value);
      } catch {
        // If storage is not available, the choice applies to this page only.
      }
    });
}
