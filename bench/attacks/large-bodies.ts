import type { Attack } from './attack.js';
import { attackKeys } from './attack-keys.js';
import { captures } from './neighbours.js';
import { send } from './send.js';

const AT_ONCE = 10;
const MEGABYTES = 20;
/** A page that endlessly posts bodies of MEGABYTES MB to its own origin. */
const PAGE = `<!doctype html><title>Posts</title><script>
  const body = 'x'.repeat(${MEGABYTES}e6);
  for (let count = 0; count < 10; count += 1) fetch('/posted', { method: 'POST', body });
  (async () => { for (;;) await fetch('/posted', { method: 'POST', body }); })();
</script>`;

/** Captures of pages that post large bodies endlessly, by two keys. */
export const largeBodies: Attack = {
  name: `${AT_ONCE} captures of pages that post bodies of ${MEGABYTES} MB, by 2 keys`,
  neighbour: captures,
  prepare: (signpost) => attackKeys(signpost),
  run: ({ url, facts: { first = '', second = '' } }) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        send(url, {
          path: '/api/screenshot',
          from: '10.1.0.1',
          headers: { 'Content-Type': 'application/json', 'X-Api-Key': index % 2 === 0 ? first : second },
          body: JSON.stringify({ html: PAGE, waitMs: 10_000 }),
        }),
      ),
    ),
};
