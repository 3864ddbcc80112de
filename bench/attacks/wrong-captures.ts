import { type Attack, repeat } from './attack.js';
import { attackKeys, NO_LIMITS } from './attack-keys.js';
import { lookups } from './neighbours.js';
import { send } from './send.js';

const SENDERS = 2;
const MEGABYTES = 9;

/**
 * Captures whose bodies have almost the maximum size, with more HTML than is allowed and an invalid field as well. Each
 * counts as a request of its key, and is rejected.
 */
export const wrongCaptures: Attack = {
  name: `${SENDERS} senders of captures of ${MEGABYTES} MB with a wrong field, by 2 keys`,
  neighbour: lookups,
  prepare: (signpost) => attackKeys(signpost, NO_LIMITS),
  run: ({ url, facts: { first = '', second = '' } }) => {
    const body = JSON.stringify({ html: 'x'.repeat(MEGABYTES * 1e6), format: 'x' });
    return repeat(SENDERS, (index) =>
      send(url, {
        path: '/api/screenshot',
        from: `10.1.0.${index + 1}`,
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': index === 0 ? first : second },
        body,
      }),
    );
  },
};
