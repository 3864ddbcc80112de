import type { Attack } from './attack.js';
import { endlessCaptures } from './endless-captures.js';
import { hostileBodies } from './hostile-bodies.js';
import { largeBodies } from './large-bodies.js';
import { pageFloods } from './page-floods.js';
import { passwordFlood } from './password-flood.js';
import { signUps } from './sign-ups.js';
import { wrongCaptures } from './wrong-captures.js';

/** Every attack, in the order of the results table. */
export const ATTACKS: readonly Attack[] = [
  ...endlessCaptures,
  largeBodies,
  ...hostileBodies,
  wrongCaptures,
  signUps,
  passwordFlood,
  ...pageFloods,
];
