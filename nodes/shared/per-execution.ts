/** The maximum number of values that are kept. */
const MAX_EXECUTIONS = 1_000;

/**
 * Keeps one value per key. A key contains the ID of an n8n execution, so that all rounds of a loop in a workflow share
 * the value. Above MAX_EXECUTIONS values, forgets the least recently used one.
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
