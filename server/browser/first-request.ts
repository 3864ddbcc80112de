import { enableCopyButtons } from './copy-buttons.js';
import { announce, formText } from './dom.js';
import { fetchPage, replacePart } from './fetched-page.js';

async function send(form: HTMLFormElement): Promise<void> {
  const fresh = await fetchPage(form.action, { method: 'POST', body: formText(form) });
  if (fresh === undefined || !replacePart(fresh, 'live')) throw new Error('No page of ours was answered.');
  replacePart(fresh, 'first-answer');
  enableCopyButtons(document.getElementById('first-answer') ?? document);
  announce('The answer is there.');
}

/**
 * Makes the form for the first request send without leaving the page, so that the key stays visible. Listens to the
 * whole document, because an update of the page may replace the form.
 */
export function enableSendingHere(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.id !== 'send-here') return;
    event.preventDefault();
    // If sending fails, submits the form as if without scripts.
    void send(form).catch(() => form.submit());
  });
}
