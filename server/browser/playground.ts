import { announce, element } from './dom.js';
import { describeFailure, showCapture } from './capture-result.js';

const TICK_MS = 1_000;

function showProgress(place: HTMLElement): () => void {
  const text = element('p', {});
  const bar = element('progress', { 'aria-label': 'Capturing the page' });
  const startedMs = performance.now();
  const tick = () => {
    const seconds = Math.round((performance.now() - startedMs) / TICK_MS);
    text.textContent = `The browser opens the page… ${seconds} s`;
  };
  tick();
  place.replaceChildren(text, bar);
  announce('Capturing the page.');
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
}

const showProblem = (place: HTMLElement, problem: string): void =>
  place.replaceChildren(element('p', { class: 'notice danger', role: 'alert' }, problem));

function formText(form: HTMLFormElement): URLSearchParams {
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') sent.append(name, value);
  return sent;
}

/** Switches the fields of the other kind off, so that what was typed there cannot keep the form from being sent. */
function switchFields(form: HTMLFormElement): void {
  const isPdf = new FormData(form).get('kind') === 'pdf';
  for (const [selector, isOff] of [
    ['.for-picture', isPdf],
    ['.for-pdf', !isPdf],
  ] as const) {
    const fields = form.querySelector<HTMLFieldSetElement>(selector);
    if (fields !== null) fields.disabled = isOff;
  }
}

/** Shows captures on the page itself instead of in a new tab. */
export function enablePlayground(): void {
  const form = document.querySelector<HTMLFormElement>('form#capture-form');
  const button = form?.querySelector('button');
  const place = document.getElementById('captured');
  if (form === null || button === null || button === undefined || place === null) return;
  const hint = document.getElementById('capture-hint');
  if (hint !== null) hint.textContent = 'A capture takes some seconds, and counts as one request.';
  switchFields(form);
  form.addEventListener('change', () => switchFields(form));
  let blobUrl: string | undefined;

  const capture = async () => {
    const sent = formText(form);
    const headers = { Accept: 'application/json' };
    const answer = await fetch(form.action, { method: 'POST', headers, body: sent });
    const problem = await describeFailure(answer);
    if (problem === undefined) blobUrl = await showCapture(place, answer, sent.get('url') ?? '');
    else showProblem(place, problem);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    if (blobUrl !== undefined) URL.revokeObjectURL(blobUrl);
    blobUrl = undefined;
    // A disabled button would lose the focus of whoever pressed it by the keyboard.
    button.setAttribute('aria-disabled', 'true');
    const endProgress = showProgress(place);
    capture()
      .catch(() => showProblem(place, 'The server cannot be reached, or ended the connection. Try again.'))
      .finally(() => {
        endProgress();
        button.removeAttribute('aria-disabled');
      });
  });
}
