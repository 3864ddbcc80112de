/** The number of executions that are remembered. */
const MAX_EXECUTIONS = 1_000;

/**
 * Keeps one value for each execution, so that the rounds of a loop share it. Forgets the
 * least recently used execution.
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
