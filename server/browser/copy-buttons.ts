import { announce } from './dom.js';

const SHOWN_MS = 2_000;

async function copy(button: HTMLButtonElement, source: HTMLElement): Promise<void> {
  const label = [...button.childNodes];
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.replaceChildren('Copied');
    announce('Copied.');
  } catch {
    // If the clipboard cannot be written, selects the value so that people can copy it by keyboard.
    source.closest('details')?.setAttribute('open', '');
    getSelection()?.selectAllChildren(source);
    button.replaceChildren('Selected');
    announce('Selected: copy it with the keyboard.');
  }
  setTimeout(() => button.replaceChildren(...label), SHOWN_MS);
}

function download(name: string, source: HTMLElement): void {
  const url = URL.createObjectURL(new Blob([source.textContent], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Shows the copy and download buttons, and makes them work. */
export function enableCopyButtons(root: ParentNode = document): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const source = document.getElementById(button.dataset.copy ?? '');
    if (source === null) continue;
    button.hidden = false;
    const { file } = button.dataset;
    button.addEventListener('click', () => {
      if (file === undefined) void copy(button, source);
      else download(file, source);
    });
  }
}
