import type { Grid } from './directory-data.js';

/** Neighbouring cells of one row of the grid, both ends included. */
export interface CellRange {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** The box around a circle, in units of the grid: its middle and how far it reaches to each side. */
interface Circle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Ring {
  readonly ranges: readonly CellRange[];
  /** The least distance in metres at which a cell of this ring or a later one can begin. */
  leastMetres(perUnit: { readonly x: number; readonly y: number }): number;
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** The cells that a box covers, ring by ring around its middle from the inside out. */
export function* ringsAround(grid: Grid, circle: Circle): Generator<Ring> {
  const cellX = (x: number) => Math.floor((x - grid.west) / grid.cellWidth);
  const cellY = (y: number) => Math.floor((y - grid.south) / grid.cellHeight);
  const west = Math.max(cellX(circle.x - circle.width), 0);
  const east = Math.min(cellX(circle.x + circle.width), grid.columns - 1);
  const south = Math.max(cellY(circle.y - circle.height), 0);
  const north = Math.min(cellY(circle.y + circle.height), grid.rows - 1);
  if (west > east || south > north) return;

  // Rings are counted from the cell of the box nearest to the middle, which may itself lie outside the grid.
  const column = clamp(cellX(circle.x), west, east);
  const row = clamp(cellY(circle.y), south, north);
  const last = Math.max(column - west, east - column, row - south, north - row);

  for (let ring = 0; ring <= last; ring += 1) {
    const inner = ring - 1;
    const gaps = (perUnit: { readonly x: number; readonly y: number }) => [
      column - inner > west
        ? (circle.x - (grid.west + (column - inner) * grid.cellWidth)) * perUnit.x
        : Infinity,
      column + inner < east
        ? (grid.west + (column + inner + 1) * grid.cellWidth - circle.x) * perUnit.x
        : Infinity,
      row - inner > south
        ? (circle.y - (grid.south + (row - inner) * grid.cellHeight)) * perUnit.y
        : Infinity,
      row + inner < north
        ? (grid.south + (row + inner + 1) * grid.cellHeight - circle.y) * perUnit.y
        : Infinity,
    ];
    yield {
      ranges: ringCells(row, column, ring, { west, east, south, north }),
      leastMetres: (perUnit) => (ring === 0 ? 0 : Math.max(0, Math.min(...gaps(perUnit)))),
    };
  }
}

interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

function ringCells(row: number, column: number, ring: number, box: Box): CellRange[] {
  const from = Math.max(column - ring, box.west);
  const to = Math.min(column + ring, box.east);
  const ranges: CellRange[] = [];
  for (const line of ring === 0 ? [row] : [row - ring, row + ring]) {
    if (line >= box.south && line <= box.north) ranges.push({ row: line, from, to });
  }
  const bottom = Math.max(row - ring + 1, box.south);
  const top = Math.min(row + ring - 1, box.north);
  for (let line = bottom; line <= top; line += 1) {
    if (column - ring >= box.west) ranges.push({ row: line, from: column - ring, to: column - ring });
    if (column + ring <= box.east) ranges.push({ row: line, from: column + ring, to: column + ring });
  }
  return ranges;
}
