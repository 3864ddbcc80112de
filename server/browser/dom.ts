export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The texts that a form sends if it is submitted, with this button if one is given. Files are left out. */
export function formText(form: HTMLFormElement, button?: HTMLElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button))
    if (typeof value === 'string') fields.append(name, value);
  return fields;
}

/** Announces a text to users of screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}
