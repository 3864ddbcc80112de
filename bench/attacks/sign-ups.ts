import type { Attack } from './attack.js';
import { lookups } from './neighbours.js';
import { sendForm } from './send.js';

const AT_ONCE = 90;

/** Sign-ups from one address. Each has a password to hash, unless it is refused before that. */
export const signUps: Attack = {
  name: `${AT_ONCE} sign-ups at once`,
  neighbour: lookups,
  run: ({ url }) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, (_, nth) =>
        sendForm(url, '/signup', '10.2.0.1', {
          email: `${nth}@example.org`,
          name: '',
          password: 'a long enough password',
        }),
      ),
    ),
};
