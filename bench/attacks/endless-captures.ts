import type { Attack } from './attack.js';
import { attackKeys } from './attack-keys.js';
import { captures, lookups, type Neighbour } from './neighbours.js';
import { send } from './send.js';

const AT_ONCE = 10;
const PAGE = '<!doctype html><title>Endless</title><script>while (true);</script>';

/** An attack: captures of a page whose script never ends, by two keys with the default limits. */
const endlessCapturesBeside = (neighbour: Neighbour): Attack => ({
  name: `${AT_ONCE} captures of a page that never ends, by 2 keys`,
  neighbour,
  prepare: (signpost) => attackKeys(signpost),
  run: ({ url, facts: { first = '', second = '' } }) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        send(url, {
          path: '/api/screenshot',
          from: '10.1.0.1',
          headers: { 'Content-Type': 'application/json', 'X-Api-Key': index % 2 === 0 ? first : second },
          body: JSON.stringify({ html: PAGE }),
        }),
      ),
    ),
});

export const endlessCaptures = [lookups, captures].map(endlessCapturesBeside);
