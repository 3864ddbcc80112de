import { type Attack, repeat } from './attack.js';
import { signIns } from './neighbours.js';
import { sendForm } from './send.js';

const CONNECTIONS = 130;

/** Wrong passwords from one address. Each has to be compared with a hash, or refused before that. */
export const passwordFlood: Attack = {
  name: `wrong passwords over ${CONNECTIONS} connections, 1 address`,
  neighbour: signIns,
  run: ({ url }) =>
    repeat(CONNECTIONS, (index) =>
      sendForm(url, '/signin', '10.4.0.1', { email: `${index}@example.org`, password: 'a wrong password' }),
    ),
};
