const NAME = 'language of code';

const radios = () => document.querySelectorAll<HTMLInputElement>('input[data-language]');

function choose(language: string): void {
  for (const radio of radios()) if (radio.value === language) radio.checked = true;
}

/** Shows code in the language last chosen in this browser, if it has a tab. A choice changes all code on a page. */
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
