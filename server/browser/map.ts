import { element } from './dom.js';
import { type MapPoint, pointAt } from './map-point.js';

const MAX_ZOOM = 60;
const STEP = 1.6;
/** A pointer that moved by more than this many pixels does not click. */
const CLICK_PIXELS = 5;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.2, 0],
  ArrowRight: [0.2, 0],
  ArrowUp: [0, -0.2],
  ArrowDown: [0, 0.2],
};

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The visible part of a drawing, and its zoom. */
class MapView {
  readonly #width: number;
  readonly #height: number;
  #zoom = 1;
  #x = 0;
  #y = 0;

  constructor(readonly svg: SVGSVGElement) {
    const { width, height } = svg.viewBox.baseVal;
    this.#width = width;
    this.#height = height;
  }

  /** Converts a position on the screen to a position in the drawing. */
  toDrawing(clientX: number, clientY: number): DOMPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
  }

  get middle(): DOMPoint {
    return new DOMPoint(this.#x + this.#width / this.#zoom / 2, this.#y + this.#height / this.#zoom / 2);
  }

  pointAt({ x, y }: DOMPoint): MapPoint {
    return pointAt(x, y, this.svg.dataset, this.#width);
  }

  /** Multiplies the zoom, within 1 and `MAX_ZOOM`. The position stays where it is on the screen if it can. */
  zoomAt({ x, y }: DOMPoint, times: number): void {
    const zoom = within(this.#zoom * times, 1, MAX_ZOOM);
    this.#x = x - ((x - this.#x) * this.#zoom) / zoom;
    this.#y = y - ((y - this.#y) * this.#zoom) / zoom;
    this.#zoom = zoom;
    this.#draw();
  }

  moveBy(x: number, y: number): void {
    this.#x += x;
    this.#y += y;
    this.#draw();
  }

  step([x, y]: readonly [number, number]): void {
    this.moveBy((x * this.#width) / this.#zoom, (y * this.#height) / this.#zoom);
  }

  reset(): void {
    this.#zoom = 1;
    this.#x = 0;
    this.#y = 0;
    this.#draw();
  }

  #draw(): void {
    const width = this.#width / this.#zoom;
    const height = this.#height / this.#zoom;
    this.#x = within(this.#x, 0, this.#width - width);
    this.#y = within(this.#y, 0, this.#height - height);
    this.svg.setAttribute('viewBox', `${this.#x} ${this.#y} ${width} ${height}`);
    this.svg.style.setProperty('--zoom', String(this.#zoom));
    this.svg.toggleAttribute('data-zoomed', this.#zoom > 1);
  }
}

/** One pointer moves the map; two, or the wheel with Ctrl or Cmd, zoom it. A press that hardly moves is a click. */
function enablePointers(view: MapView, onClick: (event: PointerEvent) => void): void {
  const { svg } = view;
  const pointers = new Map<number, PointerEvent>();
  let moved = 0;
  const distance = () => {
    const [one, other] = [...pointers.values()];
    return one === undefined || other === undefined
      ? 0
      : Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  };
  svg.addEventListener('pointerdown', (event) => {
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, event);
  });
  svg.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
    if (moved > CLICK_PIXELS) svg.setPointerCapture(event.pointerId);
    const from = view.toDrawing(before.clientX, before.clientY);
    const to = view.toDrawing(event.clientX, event.clientY);
    const distanceBefore = distance();
    pointers.set(event.pointerId, event);
    if (distanceBefore > 0) view.zoomAt(to, distance() / distanceBefore);
    else view.moveBy(from.x - to.x, from.y - to.y);
  });
  const end = (event: PointerEvent) => {
    const isClick = pointers.size === 1 && event.type === 'pointerup' && moved <= CLICK_PIXELS;
    if (pointers.delete(event.pointerId) && isClick && event.button === 0) onClick(event);
  };
  svg.addEventListener('pointerup', end);
  svg.addEventListener('pointercancel', end);
  svg.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      view.zoomAt(view.toDrawing(event.clientX, event.clientY), event.deltaY < 0 ? STEP : 1 / STEP);
    },
    { passive: false },
  );
}

const HINT =
  'Click the map for the postcodes nearest to there: one request. Drag to move; Ctrl and the wheel, or two fingers, zoom.';

/** Makes a map movable and zoomable. A click on it, except on a point of a table row, searches around that position. */
export function enableMap(svg: SVGSVGElement, askNearest: (point: MapPoint) => void): void {
  const view = new MapView(svg);
  const newButton = (words: string, name: string, act: () => void) => {
    const button = element('button', { type: 'button', class: 'small', 'aria-label': name }, words);
    button.addEventListener('click', act);
    return button;
  };
  const controls = element(
    'div',
    { class: 'map-controls', role: 'group', 'aria-label': 'The map; arrow keys move it' },
    newButton('+', 'Nearer', () => view.zoomAt(view.middle, STEP)),
    newButton('−', 'Farther', () => view.zoomAt(view.middle, 1 / STEP)),
    newButton('Whole map', 'Whole map', () => view.reset()),
    newButton('Nearest to the middle', 'Nearest to the middle', () => askNearest(view.pointAt(view.middle))),
  );
  controls.addEventListener('keydown', (event) => {
    const direction = ARROWS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    view.step(direction);
  });
  svg.after(controls, element('p', { class: 'hint' }, HINT));
  enablePointers(view, (event) => {
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    if (row === null) askNearest(view.pointAt(view.toDrawing(event.clientX, event.clientY)));
  });
}

/** Highlights a table row and its map point together. A click on the point also scrolls to the row. */
export function highlightRows(answer: HTMLElement): void {
  const mark = (target: EventTarget | null, isChosen: boolean) => {
    const row = target instanceof Element ? target.closest<HTMLElement | SVGElement>('[data-row]') : null;
    if (row === null) return;
    for (const joined of answer.querySelectorAll('.joined')) joined.classList.remove('joined');
    for (const match of answer.querySelectorAll(`[data-row="${row.dataset.row ?? ''}"]`)) {
      match.classList.add('joined');
      if (isChosen && row.closest('svg') !== null && match.closest('svg') === null)
        match.scrollIntoView({ block: 'nearest' });
    }
  };
  answer.addEventListener('pointerover', ({ target }) => mark(target, false));
  answer.addEventListener('focusin', ({ target }) => mark(target, false));
  answer.addEventListener('click', ({ target }) => mark(target, true));
}
