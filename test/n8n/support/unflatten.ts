const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Reads the form in which n8n stores the data of a run: a list of values. A string inside a value is the index of
 * another value in the list.
 */
export function unflatten(text: string): unknown {
  const table: unknown = JSON.parse(text);
  if (!Array.isArray(table)) throw new Error('This is no list of values.');
  const done = new Map<number, unknown>();

  const resolve = (place: number): unknown => {
    const value: unknown = table[place];
    if (!isObject(value)) return value;
    if (done.has(place)) return done.get(place);
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    done.set(place, copy);
    for (const [key, inner] of Object.entries(value))
      Object.assign(copy, { [key]: typeof inner === 'string' ? resolve(Number(inner)) : inner });
    return copy;
  };
  return resolve(0);
}
