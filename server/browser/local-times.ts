import { element } from './dom.js';

const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The local date and time, then "here"; undefined for a mere date, or if this device's clock then shows UTC. */
function localWords({ dateTime }: HTMLTimeElement): string | undefined {
  const time = new Date(dateTime);
  if (!dateTime.includes('T') || time.getTimezoneOffset() === 0) return undefined;
  return `${words.format(time)} here`;
}

/**
 * Shows times by this device's clock: in the tooltip of each `time`, and beside each in a `p` or `dd` outside live
 * regions.
 */
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
