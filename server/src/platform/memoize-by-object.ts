/**
 * Returns a function that creates a value for each object only once, and keeps it for as long as the object exists.
 */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const entries = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = entries.get(key) ?? { value: make(key) };
    entries.set(key, entry);
    return entry.value;
  };
}
