import type { UnknownCaller } from '../operations/operation-handler.js';
import type { Authentication } from './authentication.js';
import { keepPrivate } from './token-headers.js';

/** Lets every request through: what its body holds decides, and the address is what wrong tries are counted on. */
export const bodyAuthentication: Authentication<UnknownCaller> = {
  onRequest(_request, reply, done) {
    keepPrivate(reply);
    done();
  },
  callOf: ({ ip }, signal) => ({ address: ip, signal }),
};
