import type { Grid } from '../table/directory-data.js';

/** The box around a circle, in units of the grid: its middle, and how far it extends to each side. */
interface Circle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface MetresPerUnit {
  readonly x: number;
  readonly y: number;
}

/** The distance of a value from a range; 0 inside. */
const gap = (value: number, from: number, to: number) => Math.max(from - value, value - to, 0);

type Cells = Omit<Grid, 'starts' | 'entries'>;
/** Called with neighbouring cells of one row of the grid, from the first to the last, both included. */
type Visit = (row: number, from: number, to: number) => void;

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** The cells of a grid that a box covers, in rings around its middle, from the inside out. */
export class Rings {
  readonly count: number;
  readonly #grid: Cells;
  readonly #circle: Circle;
  /** How many metres one unit of the grid has at least in each direction. */
  readonly #perUnit: MetresPerUnit;
  readonly #west: number;
  readonly #east: number;
  readonly #south: number;
  readonly #north: number;
  /**
   * The column of the cell in the box that is nearest to the box's middle, which may be outside the grid. `#row` is the
   * row of that cell.
   */
  readonly #column: number;
  readonly #row: number;

  constructor(grid: Cells, circle: Circle, perUnit: MetresPerUnit) {
    const cellX = (x: number) => Math.floor((x - grid.west) / grid.cellWidth);
    const cellY = (y: number) => Math.floor((y - grid.south) / grid.cellHeight);
    this.#grid = grid;
    this.#circle = circle;
    this.#perUnit = perUnit;
    this.#west = Math.max(cellX(circle.x - circle.width), 0);
    this.#east = Math.min(cellX(circle.x + circle.width), grid.columns - 1);
    this.#south = Math.max(cellY(circle.y - circle.height), 0);
    this.#north = Math.min(cellY(circle.y + circle.height), grid.rows - 1);
    this.#column = clamp(cellX(circle.x), this.#west, this.#east);
    this.#row = clamp(cellY(circle.y), this.#south, this.#north);
    const isEmpty = this.#west > this.#east || this.#south > this.#north;
    const across = Math.max(this.#column - this.#west, this.#east - this.#column);
    this.count = isEmpty ? 0 : 1 + Math.max(across, this.#row - this.#south, this.#north - this.#row);
  }

  /** A distance in metres: no cell in this ring or a later one is nearer to the middle of the box. */
  minMetres(ring: number): number {
    const perUnit = this.#perUnit;
    if (ring === 0) return 0;
    const { west, south, cellWidth, cellHeight } = this.#grid;
    const { x, y } = this.#circle;
    const left = this.#column - ring + 1;
    const right = this.#column + ring;
    const bottom = this.#row - ring + 1;
    const top = this.#row + ring;
    let nearest = Infinity;
    if (left > this.#west) nearest = Math.min(nearest, (x - (west + left * cellWidth)) * perUnit.x);
    if (right <= this.#east) nearest = Math.min(nearest, (west + right * cellWidth - x) * perUnit.x);
    if (bottom > this.#south) nearest = Math.min(nearest, (y - (south + bottom * cellHeight)) * perUnit.y);
    if (top <= this.#north) nearest = Math.min(nearest, (south + top * cellHeight - y) * perUnit.y);
    return Math.max(0, nearest);
  }

  /** A distance in metres: no point in these cells of one row is nearer to the middle of the box. */
  minMetresOf(row: number, from: number, to: number): number {
    const { west, south, cellWidth, cellHeight } = this.#grid;
    const x = gap(this.#circle.x, west + from * cellWidth, west + (to + 1) * cellWidth) * this.#perUnit.x;
    const y = gap(this.#circle.y, south + row * cellHeight, south + (row + 1) * cellHeight) * this.#perUnit.y;
    return Math.sqrt(x * x + y * y);
  }

  visit(ring: number, visit: Visit): void {
    const left = this.#column - ring;
    const right = this.#column + ring;
    const top = Math.min(this.#row + ring, this.#north);
    for (let row = Math.max(this.#row - ring, this.#south); row <= top; row += 1) {
      if (Math.abs(row - this.#row) === ring) {
        visit(row, Math.max(left, this.#west), Math.min(right, this.#east));
      } else {
        if (left >= this.#west) visit(row, left, left);
        if (right <= this.#east) visit(row, right, right);
      }
    }
  }
}
