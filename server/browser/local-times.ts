import { element } from './dom.js';

const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The time on the clock of this device; undefined for a day, or if its clock is in UTC. */
function localWords({ dateTime }: HTMLTimeElement): string | undefined {
  const time = new Date(dateTime);
  if (!dateTime.includes('T') || time.getTimezoneOffset() === 0) return undefined;
  return `${words.format(time)} here`;
}

/** Says times in UTC on the clock of this device too: beside those in texts, and at the pointer in tables. */
export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('main :is(dd, p) time')) {
    const local = localWords(time);
    if (local !== undefined && time.closest('[data-live]') === null)
      time.after(' ', element('span', { class: 'ago' }, `(${local})`));
  }
  document.addEventListener('pointerover', ({ target }) => {
    if (target instanceof HTMLTimeElement) target.title = localWords(target) ?? target.title;
  });
}
