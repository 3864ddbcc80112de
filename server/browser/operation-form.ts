import { captureOf, showCapture } from './capture-result.js';
import { enableCopyButtons } from './copy-buttons.js';
import { announce, element, formText } from './dom.js';
import { fetchPage, parsePage, replacePart, updateCode } from './fetched-page.js';
import { enableLanguages } from './code-languages.js';
import { enableMap, highlightRows } from './map.js';
import { RequestHistory } from './request-history.js';
import { enableSuggestions } from './postcode-suggestions.js';

const TICK_MS = 1_000;
const TYPING_PAUSE_MS = 300;
/** Longer values are left out of addresses. */
const MAX_VALUE_CHARACTERS = 1_000;
const UNREACHABLE = 'The server cannot be reached, or ended the connection. Try again.';

function showProgress(container: HTMLElement): () => void {
  const text = element('p', {});
  const bar = element('progress', { 'aria-label': 'Waiting for the answer' });
  const startedMs = performance.now();
  const tick = () => {
    text.textContent = `Waiting for the answer… ${Math.round((performance.now() - startedMs) / TICK_MS)} s`;
  };
  tick();
  container.replaceChildren(text, bar);
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
}

const showProblem = (container: HTMLElement, problem: string): void =>
  container.replaceChildren(element('p', { class: 'notice danger', role: 'alert' }, problem));

/** The entered values as a query. Of secret and long values, it has only the top-level field names, in `without`. */
function formQuery(form: HTMLFormElement): URLSearchParams {
  const secret = new Set(
    [...form.querySelectorAll<HTMLInputElement>('[data-secret]')].map(({ name }) => name),
  );
  const query = new URLSearchParams();
  const omitted = new Set<string>();
  for (const [name, value] of formText(form)) {
    if (name === '_csrf' || value === '') continue;
    if (secret.has(name) || value.length > MAX_VALUE_CHARACTERS) omitted.add(name.split('.', 1)[0] ?? name);
    else query.append(name, value);
  }
  if (omitted.size > 0) query.set('without', [...omitted].join(','));
  return query;
}

/** The address with the entered values, as the server wrote it; empty if the page has none. */
const linkedAddress = () => document.getElementById('request-link')?.getAttribute('href') ?? '';

/** Updates the code and the address from a fetched page. */
function updateRequest(fresh: Document): void {
  updateCode(fresh);
  const link = fresh.getElementById('request-link')?.getAttribute('href') ?? undefined;
  if (link === undefined) return;
  document.getElementById('request-link')?.setAttribute('href', link);
  history.replaceState(null, '', link);
}

/** Updates the code examples, and the address in the browser's address bar, while somebody fills in the form. */
function followTyping(form: HTMLFormElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending = new AbortController();
  const refresh = async () => {
    pending = new AbortController();
    const fresh = await fetchPage(`${location.pathname}?${formQuery(form)}`, { signal: pending.signal });
    // A click on a map may have shown another operation meanwhile.
    if (fresh !== undefined && form.isConnected) updateRequest(fresh);
  };
  const area = form.closest('.operation-page') ?? form;
  area.addEventListener('input', () => {
    clearTimeout(timer);
    pending.abort();
    // Ignores updates that failed, or that newer input aborted: the next input updates the code again.
    timer = setTimeout(() => void refresh().catch(() => undefined), TYPING_PAUSE_MS);
  });
  // Choosing a suggestion changes the field without an input event.
  area.addEventListener('change', () => area.dispatchEvent(new Event('input')));
}

interface OperationPage {
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  readonly cancel: HTMLElement | null;
  readonly answerArea: HTMLElement;
  readonly requests: RequestHistory;
}

const addToHistory = ({ requests }: OperationPage, { status, headers }: Response): void =>
  requests.add({
    address: linkedAddress(),
    title: document.getElementById('request-title')?.textContent ?? '',
    status: String(status),
    at: new Date().toISOString(),
    requestId: headers.get('X-Request-Id') ?? '',
  });

function enableAnswer(page: OperationPage): void {
  const { answerArea, form } = page;
  for (const svg of answerArea.querySelectorAll<SVGSVGElement>('svg[data-map]'))
    enableMap(svg, ({ latitude, longitude }) => {
      const fields = formText(form);
      const body = new URLSearchParams({ latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) });
      for (const name of ['_csrf', 'key', 'credential']) body.set(name, fields.get(name) ?? '');
      void send(page, '/reference/findNearestPostcodes', body);
    });
  enableCopyButtons(answerArea);
}

/** The account to which a page of an operation was shown; empty if nobody was signed in, undefined for other pages. */
const accountOf = (page: Document) => page.querySelector<HTMLElement>('[data-account]')?.dataset.account;

/** Shows a response: a file, the result part of a page, all content of another operation's page, or a problem. */
async function showAnswer(page: OperationPage, answer: Response, body: URLSearchParams): Promise<void> {
  const { answerArea, form } = page;
  const fresh = await parsePage(answer);
  if (fresh === undefined && answer.ok && !answer.redirected) {
    await showCapture(answerArea, answer, body);
    addToHistory(page, answer);
    return;
  }
  const freshAccount = fresh && accountOf(fresh);
  if (fresh === undefined || (freshAccount !== undefined && freshAccount !== accountOf(document))) {
    showProblem(answerArea, 'You are signed out, or the page is old. Reload it and try again.');
    return;
  }
  const freshForm = fresh.getElementById('request-form');
  const isOther = freshForm !== null && freshForm.getAttribute('action') !== form.getAttribute('action');
  const link = fresh.getElementById('request-link')?.getAttribute('href') ?? location.href;
  if (isOther && replacePart(fresh, 'content')) {
    history.pushState(null, '', link);
    enableForm()?.answerArea.scrollIntoView({ block: 'nearest' });
    enableCopyButtons();
    enableLanguages();
  } else {
    updateRequest(fresh);
    if (!replacePart(fresh, 'answer')) {
      showProblem(
        answerArea,
        `The server refused the form (status ${answer.status}). Reload the page and try again.`,
      );
      return;
    }
    enableAnswer(page);
  }
  addToHistory(page, answer);
  announce('The answer is there.');
}

/** Sends the request to an operation's page, and shows the result. Does nothing while an earlier request is running. */
async function send(page: OperationPage, action: string, body: URLSearchParams): Promise<void> {
  const { button, cancel, answerArea } = page;
  if (button.getAttribute('aria-disabled') === 'true') return;
  // The disabled attribute would move the focus away from the button after it is pressed by keyboard.
  button.setAttribute('aria-disabled', 'true');
  // If a link is made for the shown picture or PDF, the response appears above it.
  const capture = body.has('link') ? captureOf(body) : undefined;
  const endProgress = showProgress(answerArea);
  const controller = new AbortController();
  if (cancel !== null) {
    cancel.hidden = false;
    cancel.onclick = () => {
      controller.abort();
      button.focus();
    };
  }
  announce('Waiting for the answer.');
  answerArea.scrollIntoView({ block: 'nearest' });
  try {
    const headers = { Accept: 'text/html' };
    const answer = await fetch(action, { method: 'POST', headers, body, signal: controller.signal });
    await showAnswer(page, answer, body);
  } catch {
    showProblem(answerArea, controller.signal.aborted ? 'Cancelled.' : UNREACHABLE);
  } finally {
    endProgress();
    if (capture !== undefined) answerArea.append(capture);
    button.removeAttribute('aria-disabled');
    if (cancel !== null) cancel.hidden = true;
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Fills the form with an example. Secret fields keep their values, because the fetched page does not contain them. */
async function fillExample(form: HTMLFormElement, example: HTMLElement): Promise<void> {
  const body = formText(form, example);
  const fresh = await fetchPage(form.action, { method: 'POST', body });
  const freshForm = fresh?.querySelector<HTMLFormElement>('form#request-form');
  if (fresh === undefined || freshForm === null || freshForm === undefined) return;
  const controls = (of: HTMLFormElement) =>
    of.querySelectorAll<Control>('[id^="field-"]:is(input, select, textarea), [type="checkbox"]');
  const current = controls(form);
  controls(freshForm).forEach((freshControl, index) => {
    const control = current[index];
    if (control === undefined || 'secret' in control.dataset) return;
    if (control instanceof HTMLInputElement && control.type === 'checkbox')
      control.checked = freshControl.hasAttribute('checked');
    else control.value = freshControl.value;
  });
  const groups = form.querySelectorAll('details');
  freshForm
    .querySelectorAll('details')
    .forEach(({ open }, index) => groups[index]?.toggleAttribute('open', open || groups[index].open));
  updateRequest(fresh);
  announce('The form is filled.');
}

/** Makes the form send from within the page and update the code and address. Undefined if the page has no form. */
function enableForm(): OperationPage | undefined {
  const form = document.querySelector<HTMLFormElement>('form#request-form');
  const button = document.querySelector<HTMLButtonElement>('button#send');
  const answerArea = document.getElementById('answer');
  if (form === null || button === null || answerArea === null) return undefined;
  const page = {
    form,
    button,
    cancel: document.getElementById('cancel'),
    answerArea,
    requests: new RequestHistory(accountOf(document) ?? ''),
  };
  const hint = document.querySelector('[data-without-script]');
  if (hint !== null) hint.textContent = hint.textContent.replace('The file opens in a new tab.', '');
  form.removeAttribute('target');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter?.getAttribute('name') === 'preset')
      fillExample(form, submitter).catch(() => showProblem(answerArea, UNREACHABLE));
    else void send(page, form.action, formText(form, submitter ?? undefined));
  });
  followTyping(form);
  page.requests.show();
  highlightRows(answerArea);
  enableAnswer(page);
  const token = formText(form).get('_csrf');
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-postcode]'))
    if (token !== null) enableSuggestions(input, token);
  return page;
}

const AGAIN = '#again-';

/** Loads the earlier request, or opens the group of the field, that the fragment of the address names. */
function openTarget({ requests, answerArea }: OperationPage): void {
  if (location.hash.startsWith(AGAIN)) {
    const address = requests.addressOf(decodeURIComponent(location.hash.slice(AGAIN.length)));
    if (address === undefined)
      showProblem(answerArea, 'This browser no longer has that request: enter it again.');
    else location.replace(address);
    return;
  }
  const target = document.getElementById(location.hash.slice(1));
  target?.closest('details')?.setAttribute('open', '');
  target?.scrollIntoView({ block: 'center' });
}

/** Shows the results of the search of the reference while somebody types. */
function enableReferenceSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form#reference-search');
  let pending = new AbortController();
  form?.addEventListener('input', () => {
    pending.abort();
    pending = new AbortController();
    const { signal } = pending;
    const find = async () => {
      await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS));
      if (signal.aborted) return;
      const fresh = await fetchPage(`/reference?${formText(form)}`, { signal });
      if (fresh === undefined) return;
      replacePart(fresh, 'found');
      replacePart(fresh, 'reference-found');
    };
    // A search that was aborted or failed shows nothing new; the button still submits the form.
    void find().catch(() => undefined);
  });
}

/** Makes the pages of the reference work: an operation's form, Back and Forward, the search, and the language tabs. */
export function enableOperationPage(): void {
  const page = enableForm();
  if (page !== undefined && location.hash !== '') openTarget(page);
  window.addEventListener('popstate', () => {
    if (document.querySelector('form#request-form') !== null) location.reload();
  });
  enableReferenceSearch();
  enableLanguages();
}
