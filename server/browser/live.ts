import { announce } from './dom.js';

/**
 * Stops after this time, so that an abandoned page neither sends requests forever nor keeps its session
 * alive.
 */
const UPDATED_FOR_SECONDS = 600;

/** Whether an update would remove something that somebody is using in the region. */
const isInUse = (region: Element) =>
  region.contains(document.activeElement) || region.querySelector('details[open]') !== null;

/** Replaces the region with its current state on the server. */
async function update(region: Element): Promise<boolean> {
  const response = await fetch(location.href, { redirect: 'error' });
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.getElementById(region.id);
  if (fresh === null) return false;
  if (!isInUse(region) && fresh.innerHTML !== region.innerHTML) region.replaceChildren(...fresh.childNodes);
  return true;
}

/**
 * Keeps a live region up to date while its page is visible, with a button that stops and resumes the updates.
 */
export function enableLiveRegion(): void {
  const region = document.querySelector<HTMLElement>('[data-live]');
  if (region === null) return;
  const everySeconds = Number(region.dataset.live);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small live-switch';
  let timer: ReturnType<typeof setInterval> | undefined;
  let left = 0;

  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    button.textContent = 'Update live';
  };
  const tick = async () => {
    if (document.hidden) return;
    left -= 1;
    const isUpdated = await update(region).catch(() => false);
    if (isUpdated && left > 0) return;
    stop();
    announce('The page is not updated any more.');
  };
  const start = () => {
    left = UPDATED_FOR_SECONDS / everySeconds;
    timer = setInterval(() => void tick(), everySeconds * 1_000);
    button.textContent = 'Live: stop updates';
  };
  button.addEventListener('click', () => {
    if (timer !== undefined) {
      stop();
      return;
    }
    start();
    void tick();
  });
  // Beside the heading it needs no extra space.
  const head = document.querySelector('.page-head');
  if (head === null) region.before(button);
  else head.append(button);
  start();
}
