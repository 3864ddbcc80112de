const INITIAL_CAPACITY = 256;

/**
 * Collects the points that can be among the `limit` nearest. Each distance may be too small or too large by the slack,
 * so it also keeps points that seem farther away than the `limit` nearest by up to twice the slack. Points may be added
 * in any order, each once.
 */
export class NearestCandidates {
  readonly #slackMetres: number;
  #limit = 0;
  #countsAll = false;
  /** The smallest squared distances so far, at most `limit` of them, as a heap with the largest on top. */
  #heap = new Float64Array(INITIAL_CAPACITY);
  #size = 0;
  #reachSquared = 0;
  #nearestSquared = 0;
  #reachMetres = 0;
  #points = new Uint32Array(INITIAL_CAPACITY);
  #squares = new Float64Array(INITIAL_CAPACITY);
  #count = 0;

  constructor(slackMetres: number) {
    this.#slackMetres = slackMetres;
  }

  /** Starts another search. With `countsAll`, every point within the radius is kept. */
  begin(limit: number, radiusMetres: number, countsAll = false): void {
    if (limit > this.#heap.length) this.#heap = new Float64Array(limit);
    this.#limit = limit;
    this.#size = 0;
    this.#count = 0;
    this.#reachMetres = radiusMetres + this.#slackMetres;
    this.#reachSquared = this.#reachMetres ** 2;
    this.#nearestSquared = this.#reachSquared;
    this.#countsAll = countsAll;
  }

  /**
   * Points beyond this distance need not be added: they are outside the radius or, without `countsAll`, cannot be among
   * the nearest any more.
   */
  get reachMetres(): number {
    return this.#reachMetres;
  }

  get reachSquared(): number {
    return this.#reachSquared;
  }

  /** Adds a point that is not beyond `reachMetres`. */
  take(point: number, squaredMetres: number) {
    if (this.#count === this.#points.length) this.#grow();
    this.#points[this.#count] = point;
    this.#squares[this.#count] = squaredMetres;
    this.#count += 1;
    if (this.#size < this.#limit) {
      this.#rise(squaredMetres);
      if (this.#size === this.#limit) this.#narrow();
    } else if (squaredMetres < (this.#heap[0] ?? 0)) {
      this.#sink(squaredMetres);
      this.#narrow();
    }
  }

  /** The added points that can still be among the nearest. */
  points(): number[] {
    const nearest: number[] = [];
    for (let index = 0; index < this.#count; index += 1) {
      if ((this.#squares[index] ?? Infinity) <= this.#nearestSquared) nearest.push(this.#points[index] ?? 0);
    }
    return nearest;
  }

  /**
   * How many of the added points are within a radius. Calls `metresOf`, the exact distance, only for those near its
   * edge.
   */
  countWithin(radiusMetres: number, metresOf: (point: number) => number): number {
    const inner = Math.max(0, radiusMetres - this.#slackMetres) ** 2;
    let within = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const isInner = (this.#squares[index] ?? Infinity) <= inner;
      if (isInner || metresOf(this.#points[index] ?? 0) <= radiusMetres) within += 1;
    }
    return within;
  }

  #grow() {
    const points = new Uint32Array(2 * this.#count);
    const squares = new Float64Array(2 * this.#count);
    points.set(this.#points);
    squares.set(this.#squares);
    this.#points = points;
    this.#squares = squares;
  }

  #narrow() {
    const metres = Math.sqrt(this.#heap[0] ?? 0) + 2 * this.#slackMetres;
    if (metres * metres >= this.#nearestSquared) return;
    this.#nearestSquared = metres * metres;
    if (this.#countsAll) return;
    this.#reachMetres = metres;
    this.#reachSquared = this.#nearestSquared;
  }

  #rise(value: number) {
    let index = this.#size;
    this.#size += 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#heap[parent] ?? 0;
      if (above >= value) break;
      this.#heap[index] = above;
      index = parent;
    }
    this.#heap[index] = value;
  }

  #sink(value: number) {
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#heap[child + 1] ?? 0) > (this.#heap[child] ?? 0)) child += 1;
      const below = this.#heap[child] ?? 0;
      if (below <= value) break;
      this.#heap[index] = below;
      index = child;
    }
    this.#heap[index] = value;
  }
}
