/**
 * Gathers the rows that can be among the `limit` nearest: all whose distance is not greater than that of the
 * farthest of those by more than the slack. Rows may be offered in any order, each once.
 */
export class LeastDistances {
  readonly #limit: number;
  readonly #slackMetres: number;
  /** The least squared distances so far, as a heap with the greatest on top. */
  readonly #heap: Float64Array;
  #size = 0;
  #reachSquared: number;
  #reachMetres: number;
  readonly #rows: number[] = [];
  readonly #squares: number[] = [];

  constructor(limit: number, radiusMetres: number, slackMetres: number) {
    this.#limit = limit;
    this.#slackMetres = slackMetres;
    this.#heap = new Float64Array(limit);
    this.#reachMetres = radiusMetres + slackMetres;
    this.#reachSquared = this.#reachMetres ** 2;
  }

  /** Beyond this distance nothing is wanted any more. */
  get reachMetres(): number {
    return this.#reachMetres;
  }

  offer(row: number, squaredMetres: number): void {
    if (squaredMetres > this.#reachSquared) return;
    this.#rows.push(row);
    this.#squares.push(squaredMetres);
    if (this.#size < this.#limit) {
      this.#rise(squaredMetres);
      if (this.#size === this.#limit) this.#narrow();
    } else if (squaredMetres < (this.#heap[0] ?? 0)) {
      this.#sink(squaredMetres);
      this.#narrow();
    }
  }

  /** The rows that were offered and are still in reach. */
  *rows(): Generator<number> {
    for (let index = 0; index < this.#rows.length; index += 1) {
      if ((this.#squares[index] ?? Infinity) <= this.#reachSquared) yield this.#rows[index] ?? 0;
    }
  }

  #narrow() {
    const metres = Math.sqrt(this.#heap[0] ?? 0) + this.#slackMetres;
    if (metres >= this.#reachMetres) return;
    this.#reachMetres = metres;
    this.#reachSquared = metres * metres;
  }

  #rise(value: number) {
    let place = this.#size;
    this.#size += 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#heap[parent] ?? 0;
      if (above >= value) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = value;
  }

  #sink(value: number) {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#heap[child + 1] ?? 0) > (this.#heap[child] ?? 0)) child += 1;
      const below = this.#heap[child] ?? 0;
      if (below <= value) break;
      this.#heap[place] = below;
      place = child;
    }
    this.#heap[place] = value;
  }
}
