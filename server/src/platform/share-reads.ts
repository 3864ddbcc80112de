/**
 * Wraps `read` so that callers with the same key share reads. No caller gets the result of a read that began before its
 * call, because that result may be outdated.
 */
export function shareReads<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const running = new Map<Key, Promise<Value>>();
  const next = new Map<Key, Promise<Value>>();

  const start = (key: Key): Promise<Value> => {
    next.delete(key);
    const reading = read(key).finally(() => {
      if (running.get(key) === reading) running.delete(key);
    });
    running.set(key, reading);
    return reading;
  };

  return (key) => {
    const waiting = next.get(key);
    if (waiting !== undefined) return waiting;
    const current = running.get(key);
    if (current === undefined) return start(key);
    const following = current.then(
      () => start(key),
      () => start(key),
    );
    next.set(key, following);
    return following;
  };
}
