import type { ConsoleApp } from './console-app.js';
import { ConsoleClient } from './console-client.js';
import { PASSWORD } from './console-steps.js';

/** Some sign-ups later the limit per address would end the tests; this lets it pass. */
const BETWEEN_SIGN_UPS_MS = 4 * 60_000;
let made = 0;

/** Somebody new who has just signed up. */
export async function signUpNewcomer(app: ConsoleApp) {
  const email = `newcomer-${(made += 1)}@example.org`;
  const visitor = new ConsoleClient(app.url);
  const answer = await visitor.submit('/signup', { email, name: 'Newcomer', password: PASSWORD });
  if (answer.status !== 303) throw new Error(`The sign-up was answered with ${answer.status}.`);
  app.pass(BETWEEN_SIGN_UPS_MS);
  return { email, visitor };
}
