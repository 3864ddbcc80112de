import type { UnknownCaller } from '../operations/operation-handler.js';
import type { Authentication } from './authentication.js';
import type { Refusals } from './refusals.js';
import { keepPrivate } from './token-headers.js';

/** Lets requests through: what the body holds decides, and the address is what wrong tries are counted on. */
export const bodyAuthentication = (refusals: Refusals): Authentication<UnknownCaller> => ({
  onRequest(request, reply, done) {
    keepPrivate(reply);
    done(refusals.beforeBody(request));
  },
  callOf: ({ ip }, signal) => ({ address: ip, signal }),
});
