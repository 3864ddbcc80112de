import { element } from './dom.js';

const localTime = (timeMs: number) =>
  new Date(timeMs).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * Shows the values of the column that is pointed at, touched or focused, with the time in this device's time zone. The
 * first touch of a column only shows its values. A second touch, or the link beside the values, opens the list of the
 * column's requests, if it has one.
 */
export function enableChartValues(): void {
  for (const chart of document.querySelectorAll<HTMLElement>('figure.chart')) {
    let shownColumn: Element | undefined;
    const show = (target: EventTarget | null): SVGElement | undefined => {
      const column = target instanceof Element ? target.closest<SVGElement>('[data-words]') : null;
      // Looks the element up again, because an update of the page may replace it.
      const display = chart.querySelector<HTMLElement>('[data-chart-value]');
      const found =
        column ?? (target instanceof Element ? target.querySelector<SVGElement>('[data-words]') : null);
      if (display === null || found === null || target === chart) return undefined;
      const { words = '', time = '' } = found.dataset;
      const link = found.closest('a')?.getAttribute('href') ?? undefined;
      display.hidden = false;
      display.replaceChildren(
        `${words} · ${localTime(Number(time))} here`,
        ...(link === undefined ? [] : [' ', element('a', { href: link }, 'See these requests')]),
      );
      return found;
    };
    chart.addEventListener('pointerover', ({ target, pointerType }) => {
      if (pointerType === 'mouse' && target instanceof Element && target.closest('[data-words]') !== null)
        show(target);
    });
    chart.addEventListener('focusin', ({ target }) => {
      if (target instanceof SVGElement) show(target);
    });
    chart.addEventListener('click', (event) => {
      if (!(event instanceof PointerEvent) || event.pointerType === 'mouse') return;
      const column = event.target instanceof Element ? event.target.closest('[data-words]') : null;
      if (column === null || column === shownColumn) return;
      event.preventDefault();
      shownColumn = show(event.target);
    });
  }
}
