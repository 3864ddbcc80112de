import { showAnswer } from './reference-answer.js';
import { enableCredentials } from './reference-credentials.js';
import { prepareRequest } from './reference-request.js';
import { enableReferenceSearch } from './reference-search.js';

const UNREACHABLE =
  'No answer: the server cannot be reached. Check that it is running and that this device is online, then send again.';
const CUT_OFF = 'The answer ended early. Send it again.';

/** The elements with which one operation can be tried. */
interface OperationForm {
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  readonly status: HTMLElement;
  readonly result: HTMLElement;
}

type Tone = 'good' | 'danger' | 'waiting';

function setStatus({ status }: OperationForm, tone: Tone, text: string): void {
  status.className = `result-status ${tone}`;
  status.textContent = text;
}

const formatElapsed = (startedMs: number) =>
  `${Math.round(performance.now() - startedMs).toLocaleString('en-GB')} ms`;

/** HTTP/2 responses have no status text. */
const formatStatus = ({ status, statusText }: Response) => `${status} ${statusText}`.trim();

/** Sends the form's request and shows the response. Returns the object URL of the body, if it has one. */
async function send(operation: OperationForm): Promise<string | undefined> {
  const request = prepareRequest(operation.form);
  operation.result.replaceChildren();
  if ('problem' in request) {
    setStatus(operation, 'danger', `Not sent. ${request.problem}`);
    request.field?.focus();
    return undefined;
  }
  setStatus(operation, 'waiting', 'Sending…');
  const startedMs = performance.now();
  let response: Response;
  try {
    response = await fetch(request.path, request.init);
  } catch {
    setStatus(operation, 'danger', UNREACHABLE);
    return undefined;
  }
  let body: Blob;
  try {
    body = await response.blob();
  } catch {
    setStatus(operation, 'danger', CUT_OFF);
    return undefined;
  }
  const url = URL.createObjectURL(body);
  const headerNames = (operation.form.dataset.headers ?? '').split(' ').filter((name) => name !== '');
  const took = formatElapsed(startedMs);
  await showAnswer(operation.result, { response, body, secrets: request.secrets, headerNames, url });
  setStatus(operation, response.ok ? 'good' : 'danger', `${formatStatus(response)} in ${took}`);
  return url;
}

function enableForm(operation: OperationForm): void {
  const { form, button } = operation;
  let shownUrl: string | undefined;
  let isSending = false;
  const sendOnce = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    // The disabled attribute would move the focus away from the button after a press by keyboard.
    button.setAttribute('aria-disabled', 'true');
    if (shownUrl !== undefined) URL.revokeObjectURL(shownUrl);
    shownUrl = undefined;
    try {
      shownUrl = await send(operation);
    } finally {
      button.removeAttribute('aria-disabled');
      isSending = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendOnce();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void sendOnce();
  });
}

/** Highlights the current section in the table of contents. */
function followReading(contents: HTMLElement): void {
  const links = new Map(
    [...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link] as const),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ isIntersecting }) => isIntersecting);
      if (entry === undefined) return;
      for (const [id, link] of links) {
        if (id === entry.target.id) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    },
    // A thin line below the top of the window: the section that crosses it is the current one.
    { rootMargin: '-20% 0px -79% 0px' },
  );
  for (const id of links.keys()) {
    const target = document.getElementById(id);
    if (target !== null) observer.observe(target);
  }
}

/** Makes the reference interactive, if this page is the reference. */
export function enableReference(): void {
  const contents = document.querySelector<HTMLElement>('nav.contents');
  if (contents === null) return;
  enableCredentials();
  followReading(contents);
  enableReferenceSearch();
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details[data-try]')) {
    const form = details.querySelector('form');
    const button = details.querySelector<HTMLButtonElement>('button[type="submit"]');
    const status = details.querySelector<HTMLElement>('[data-status]');
    const result = details.querySelector<HTMLElement>('[data-result]');
    if (form === null || button === null || status === null || result === null) continue;
    details.hidden = false;
    enableForm({ form, button, status, result });
  }
}
