import { announce, element } from './dom.js';
import { fetchPage } from './fetched-page.js';

/** After this time on screen, updates end, so that an abandoned page does not keep loading. */
const UPDATED_FOR_SECONDS = 600;

/** Whether somebody uses the region: it has the focus, unfolded content or a selection. */
function isInUse(region: Element): boolean {
  const selection = getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(region, true);
  return (
    isSelected || region.contains(document.activeElement) || region.querySelector('details[open]') !== null
  );
}

type Update = 'updated' | 'paused' | 'failed';

/** Replaces the region's contents by the server's, unless somebody uses the region or the server sends none. */
async function update(region: Element): Promise<Update> {
  if (isInUse(region)) return 'paused';
  const fresh = (await fetchPage(location.href))?.getElementById(region.id) ?? undefined;
  if (fresh === undefined) return 'failed';
  // Somebody may have begun to use the region meanwhile.
  if (isInUse(region)) return 'paused';
  if (fresh.innerHTML !== region.innerHTML) region.replaceChildren(...fresh.childNodes);
  return 'updated';
}

const clockTime = () => new Date().toLocaleTimeString('en-GB');

/** Keeps the live region up to date, with a switch and the time of the last update. */
export function enableLiveRegion(): void {
  const region = document.querySelector<HTMLElement>('[data-live]');
  if (region === null) return;
  const everySeconds = Number(region.dataset.live);
  const button = element('button', { type: 'button', role: 'switch', class: 'small live-switch' }, 'Live');
  const state = element('span', { class: 'muted live-state' });
  let timer: ReturnType<typeof setInterval> | undefined;
  let updatesLeft = 0;
  let updatedAt = clockTime();

  const showState = (words: string) => {
    state.textContent = `${words} ${updatedAt}`;
  };
  const setLive = (isOn: boolean) => {
    clearInterval(timer);
    timer = isOn ? setInterval(() => void tick(), everySeconds * 1_000) : undefined;
    updatesLeft = UPDATED_FOR_SECONDS / everySeconds;
    button.setAttribute('aria-checked', String(isOn));
    showState(isOn ? 'Updated' : 'Off. As of');
  };
  const tick = async () => {
    if (document.hidden) return;
    updatesLeft -= 1;
    const outcome = await update(region).catch((): Update => 'failed');
    if (timer === undefined) return;
    if (outcome === 'updated') updatedAt = clockTime();
    if (outcome !== 'failed' && updatesLeft > 0) {
      showState(outcome === 'paused' ? 'Paused while you read. As of' : 'Updated');
      return;
    }
    setLive(false);
    announce('The page is not updated any more.');
  };
  button.addEventListener('click', () => {
    setLive(timer === undefined);
    if (timer !== undefined) void tick();
  });
  document.addEventListener('selectionchange', () => {
    if (timer !== undefined && isInUse(region)) showState('Paused while you read. As of');
  });
  const bar = element('span', { class: 'live-bar' }, button, state);
  // Beside the heading of the page, if it has one, the switch needs no extra space.
  const head = document.querySelector('.page-head');
  if (head === null) region.before(bar);
  else head.append(bar);
  setLive(true);
}
