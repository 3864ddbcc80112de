import { withoutAddresses } from './connect.js';
import type { BrowserEndpoint } from './endpoint.js';
import { EndpointProblem } from './endpoint-problem.js';

/** Why a browser elsewhere is not used, from whatever went wrong while it was tried; no token is in it. */
export const problemOf = (error: unknown, { label }: BrowserEndpoint): EndpointProblem =>
  error instanceof EndpointProblem
    ? error
    : new EndpointProblem('it ended while it was tried', withoutAddresses(String(error), label));
