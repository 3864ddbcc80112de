export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The texts that a form sends if it is submitted with this button. Files are left out. */
export function formText(form: HTMLFormElement, button?: HTMLElement): URLSearchParams {
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form, button))
    if (typeof value === 'string') sent.append(name, value);
  return sent;
}

/** Announces a text to users of screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}
