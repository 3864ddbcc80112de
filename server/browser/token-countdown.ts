import { formatTimeLeft } from '../src/console/tokens/time-left.js';
import { announce } from './dom.js';

const TICK_INTERVAL_MS = 1_000;

/** Counts down the remaining time of the access token on the page, and says so when the token has expired. */
export function startTokenCountdown(): void {
  const time = document.querySelector<HTMLTimeElement>('time[data-left-ms]');
  const sentence = time?.closest('p');
  if (time === null || sentence === null || sentence === undefined) return;
  // The end is computed from the time left, because this machine's clock may differ from the server's.
  const endsAtMs = Date.now() + Number(time.dataset.leftMs);
  const end = `${time.dateTime.slice(11, 16)} UTC`;

  const timer = setInterval(() => {
    const left = formatTimeLeft(endsAtMs - Date.now());
    if (left === undefined) {
      clearInterval(timer);
      sentence.textContent = `This access token ended at ${end}. Reload the page for a new one.`;
      sentence.classList.add('notice');
      announce('The access token has ended.');
      return;
    }
    const text = `${left}, until ${end}`;
    if (time.textContent !== text) time.textContent = text;
  }, TICK_INTERVAL_MS);
}
