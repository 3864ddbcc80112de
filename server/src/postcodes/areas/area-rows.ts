import { setImmediate } from 'node:timers/promises';
import type { NameColumn } from '../table/directory-data.js';
import type { PackedDirectory } from '../table/packed-directory.js';
import type { Area } from './find-areas.js';

/** How many rows a block has. For each block, the active rows of each area are counted. */
const ROWS_PER_BLOCK = 2_048;
/** Counting yields to other work after this many blocks. */
const BLOCKS_PER_TURN = 64;

/**
 * For each area of one kind, the blocks that have active rows of it. `starts` has the index of each area's first item
 * in `blocks` and `counts`.
 */
interface AreaBlocks {
  readonly starts: Uint32Array;
  readonly blocks: Uint16Array;
  /** The number of active rows of the area in each block. */
  readonly counts: Uint16Array;
}

/** A page of an area's active rows, and the number of all its active rows. */
export interface AreaPage {
  readonly total: number;
  readonly rows: readonly number[];
}

type Table = Pick<PackedDirectory, 'rows' | 'values'>;

/**
 * Finds the active rows of an area by knowing how many of them each block of rows has. The rows of a kind of area are
 * counted when that kind is first requested.
 */
export class AreaRows {
  readonly #table: Table;
  readonly #byKind = new Map<NameColumn, Promise<AreaBlocks>>();

  constructor(table: Table) {
    this.#table = table;
  }

  async page({ kind, index }: Area, offset: number, limit: number): Promise<AreaPage> {
    let counted = this.#byKind.get(kind);
    if (counted === undefined) {
      counted = countBlocks(this.#table, kind);
      this.#byKind.set(kind, counted);
    }
    const { starts, blocks, counts } = await counted;
    const [start = 0, end = 0] = starts.subarray(index, index + 2);
    const rows: number[] = [];
    let total = 0;
    for (let entry = start; entry < end; entry += 1) {
      const count = counts[entry] ?? 0;
      const isWanted = rows.length < limit && total + count > offset;
      if (isWanted) this.#collect(rows, kind, index, blocks[entry] ?? 0, offset - total, limit);
      total += count;
    }
    return { total, rows };
  }

  /** Adds the area's active rows in a block to `found`, except the first `skipped`, until `found` has `limit` rows. */
  #collect(
    found: number[],
    kind: NameColumn,
    areaIndex: number,
    block: number,
    skipped: number,
    limit: number,
  ) {
    const { rows } = this.#table;
    const field = rows.names[kind];
    let leftToSkip = skipped;
    const end = Math.min((block + 1) * ROWS_PER_BLOCK, rows.length);
    for (let row = block * ROWS_PER_BLOCK; row < end && found.length < limit; row += 1) {
      if (rows.code(row, field) !== areaIndex || !rows.isActive(row)) continue;
      if (leftToSkip > 0) leftToSkip -= 1;
      else found.push(row);
    }
  }
}

async function countBlocks({ rows, values }: Table, kind: NameColumn): Promise<AreaBlocks> {
  const field = rows.names[kind];
  const inBlock = new Uint16Array(values[kind].length);
  const areaIndexes: number[] = [];
  const blocks: number[] = [];
  const counts: number[] = [];
  for (let block = 0; block * ROWS_PER_BLOCK < rows.length; block += 1) {
    const first = areaIndexes.length;
    const end = Math.min((block + 1) * ROWS_PER_BLOCK, rows.length);
    for (let row = block * ROWS_PER_BLOCK; row < end; row += 1) {
      if (!rows.isActive(row)) continue;
      const areaIndex = rows.code(row, field);
      if (inBlock[areaIndex] === 0) areaIndexes.push(areaIndex);
      inBlock[areaIndex] = (inBlock[areaIndex] ?? 0) + 1;
    }
    for (let entry = first; entry < areaIndexes.length; entry += 1) {
      const areaIndex = areaIndexes[entry] ?? 0;
      blocks.push(block);
      counts.push(inBlock[areaIndex] ?? 0);
      inBlock[areaIndex] = 0;
    }
    if (block % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1) await setImmediate();
  }
  return groupByArea(values[kind].length, areaIndexes, blocks, counts);
}

/** Groups the counts of all blocks by area. Each area's blocks stay in order. */
function groupByArea(
  length: number,
  areaIndexes: readonly number[],
  blocks: readonly number[],
  counts: readonly number[],
): AreaBlocks {
  const starts = new Uint32Array(length + 1);
  for (const areaIndex of areaIndexes) starts[areaIndex + 1] = (starts[areaIndex + 1] ?? 0) + 1;
  for (let areaIndex = 0; areaIndex < length; areaIndex += 1)
    starts[areaIndex + 1] = (starts[areaIndex + 1] ?? 0) + (starts[areaIndex] ?? 0);
  const next = starts.slice();
  const sorted = {
    starts,
    blocks: new Uint16Array(areaIndexes.length),
    counts: new Uint16Array(areaIndexes.length),
  };
  areaIndexes.forEach((areaIndex, entry) => {
    const target = next[areaIndex] ?? 0;
    sorted.blocks[target] = blocks[entry] ?? 0;
    sorted.counts[target] = counts[entry] ?? 0;
    next[areaIndex] = target + 1;
  });
  return sorted;
}
