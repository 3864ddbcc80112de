/** The maximum number of values that are kept. */
const MAX_EXECUTIONS = 1_000;

/**
 * Keeps one value for each key, which contains the ID of an execution, so that the rounds of a loop share the value. If
 * there are too many values, forgets the least recently used one.
 */
export class PerExecution<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > MAX_EXECUTIONS && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
