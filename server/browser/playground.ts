import { showCapture } from './capture-result.js';
import { enableCopyButtons } from './copy-buttons.js';
import { announce, element } from './dom.js';
import { fetchPage, pageOf, takeOver, takeOverCode } from './fetched-page.js';
import { enableLanguages } from './code-languages.js';
import { enableMap, joinRows } from './map.js';
import { PlaygroundHistory } from './playground-history.js';
import { enableSuggestions } from './postcode-suggestions.js';

const TICK_MS = 1_000;
const TYPING_PAUSE_MS = 300;
/** Longer values are not for addresses. */
const MAX_VALUE_CHARACTERS = 1_000;
const UNREACHABLE = 'The server cannot be reached, or ended the connection. Try again.';

function showProgress(place: HTMLElement): () => void {
  const text = element('p', {});
  const bar = element('progress', { 'aria-label': 'Waiting for the answer' });
  const startedMs = performance.now();
  const tick = () => {
    text.textContent = `Waiting for the answer… ${Math.round((performance.now() - startedMs) / TICK_MS)} s`;
  };
  tick();
  place.replaceChildren(text, bar);
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

/** What is entered as the query of an address; of what is secret or long, the names of the fields alone. */
function formQuery(form: HTMLFormElement): URLSearchParams {
  const secret = new Set(
    [...form.querySelectorAll<HTMLInputElement>('[data-secret]')].map(({ name }) => name),
  );
  const query = new URLSearchParams();
  const without = new Set<string>();
  for (const [name, value] of formText(form)) {
    if (name === '_csrf' || value === '') continue;
    if (secret.has(name) || value.length > MAX_VALUE_CHARACTERS) without.add(name.split('.', 1)[0] ?? name);
    else query.append(name, value);
  }
  if (without.size > 0) query.set('without', [...without].join(','));
  return query;
}

/** The address of what is entered, as the server writes it. */
const linkedAddress = () => document.querySelector<HTMLAnchorElement>('#request-link')?.search ?? '';

/** Takes the code of a page over, and its address. */
function takeOverRequest(fresh: Document): void {
  takeOverCode(fresh);
  const link = fresh.getElementById('request-link')?.getAttribute('href') ?? undefined;
  if (link === undefined) return;
  document.getElementById('request-link')?.setAttribute('href', link);
  history.replaceState(null, '', link);
}

/** Keeps code and address as the form is filled. */
function followTyping(form: HTMLFormElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = new AbortController();
  const refresh = async () => {
    asked = new AbortController();
    const fresh = await fetchPage(`/playground?${formQuery(form)}`, { signal: asked.signal });
    if (fresh !== undefined) takeOverRequest(fresh);
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    asked.abort();
    // What was given up for what was typed since is no trouble; nor is code that is late.
    timer = setTimeout(() => void refresh().catch(() => undefined), TYPING_PAUSE_MS);
  });
  // A suggestion that is taken changes the field without typing.
  form.addEventListener('change', () => form.dispatchEvent(new Event('input')));
}

/** The playground as the page has it. */
interface Playground {
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  readonly place: HTMLElement;
  readonly past: PlaygroundHistory;
}

const titleOf = () => document.getElementById('request-title')?.textContent ?? '';

function keepInHistory({ past }: Playground, status: string): void {
  const query = linkedAddress().slice(1);
  past.add({ query, title: titleOf(), status, atMs: Date.now() });
}

function enableAnswer(playground: Playground): void {
  const { place, form } = playground;
  for (const svg of place.querySelectorAll<SVGSVGElement>('svg[data-map]'))
    enableMap(svg, ({ latitude, longitude }) => {
      const fields = formText(form);
      const sent = new URLSearchParams({
        _csrf: fields.get('_csrf') ?? '',
        key: fields.get('key') ?? '',
        operation: 'findNearestPostcodes',
        latitude: latitude.toFixed(5),
        longitude: longitude.toFixed(5),
      });
      void send(playground, sent, true);
    });
  enableCopyButtons(place);
}

/** Shows what came: a file, or the answer of a page; of another operation's form all of the page. */
async function showAnswer(
  playground: Playground,
  answer: Response,
  sent: URLSearchParams,
  isOther: boolean,
): Promise<void> {
  const { place } = playground;
  const fresh = await pageOf(answer);
  if (fresh === undefined) {
    const isFile = answer.ok && !answer.redirected;
    if (isFile) await showCapture(place, answer, sent.get('url') ?? 'the page');
    else showProblem(place, 'You are signed out, or the page is old. Reload it and try again.');
    if (isFile) keepInHistory(playground, String(answer.status));
    return;
  }
  const link = fresh.getElementById('request-link')?.getAttribute('href') ?? location.href;
  if (isOther && takeOver(fresh, 'content')) {
    history.pushState(null, '', link);
    enablePlayground()?.place.scrollIntoView({ block: 'nearest' });
    enableCopyButtons();
    enableLanguages();
  } else {
    takeOverRequest(fresh);
    if (!takeOver(fresh, 'answer')) {
      showProblem(
        place,
        `The server refused the form (status ${answer.status}). Reload the page and try again.`,
      );
      return;
    }
    enableAnswer(playground);
  }
  keepInHistory(playground, String(answer.status));
  announce('The answer is there.');
}

/** Sends a request of this form, or of another one, and shows what comes. */
async function send(playground: Playground, sent: URLSearchParams, isOther: boolean): Promise<void> {
  const { button, place, form } = playground;
  if (button.getAttribute('aria-disabled') === 'true') return;
  // A disabled button would lose the focus of a person who pressed it by the keyboard.
  button.setAttribute('aria-disabled', 'true');
  const endProgress = showProgress(place);
  announce('Waiting for the answer.');
  place.scrollIntoView({ block: 'nearest' });
  try {
    const headers = { Accept: 'text/html' };
    const answer = await fetch(form.action, { method: 'POST', headers, body: sent });
    await showAnswer(playground, answer, sent, isOther);
  } catch {
    showProblem(place, UNREACHABLE);
  } finally {
    endProgress();
    button.removeAttribute('aria-disabled');
  }
}

/** Sends requests from the page itself, and keeps code, address and history beside them. */
export function enablePlayground(): Playground | undefined {
  const form = document.querySelector<HTMLFormElement>('form#request-form');
  const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]');
  const place = document.getElementById('answer');
  if (form === null || button === null || button === undefined || place === null) return undefined;
  const account = place.closest<HTMLElement>('[data-account]')?.dataset.account ?? '';
  const playground: Playground = { form, button, place, past: new PlaygroundHistory(account) };
  const hint = form.querySelector('[data-without-script]');
  if (hint !== null) hint.textContent = 'It counts as one request of the key.';
  form.removeAttribute('target');
  const chosen = document.querySelector('.operation-links [aria-current]');
  const strip = chosen?.closest('ul');
  if (chosen instanceof HTMLElement && strip !== null && strip !== undefined)
    strip.scrollLeft = chosen.offsetLeft - strip.offsetLeft;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(playground, formText(form), false);
  });
  followTyping(form);
  playground.past.show();
  joinRows(place);
  enableAnswer(playground);
  const token = formText(form).get('_csrf') ?? '';
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-postcode]'))
    enableSuggestions(input, token);
  return playground;
}

/** What only the rest of the page needs again once all of it was taken over. */
export function enablePlaygroundPage(): void {
  enablePlayground();
  window.addEventListener('popstate', () => {
    if (document.querySelector('form#request-form') !== null) location.reload();
  });
  enableLanguages();
}
