/** A moment for people, to the minute, in UTC. */
export function Moment({ timeMs }: { readonly timeMs: number }) {
  const date = new Date(timeMs);
  const words = date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return <time datetime={date.toISOString()}>{`${words} UTC`}</time>;
}
