import type { AddressInfo, Server } from 'node:net';
import { errorCode } from '../../error-code.js';
import { ServiceError } from '../../service-error.js';
import type { GuardAddress } from './guard-address.js';

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that port. Set another, or leave the port out for any free one.',
  EACCES: 'this user may not. Set a port of 1024 or above.',
  EADDRNOTAVAIL: 'this machine does not have that address. Set one that it has.',
  ENOTFOUND: 'the name is not found. Set a name or an address of this machine.',
};

/** Makes the guard listen; throws a ServiceError that names the variable where it cannot. */
export async function listenForBrowsers(server: Server, { host, port }: GuardAddress): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const why = PROBLEMS[errorCode(error)];
    if (why === undefined) throw error;
    const where = `SIGNPOST_GUARD_ADDRESS (${host}, port ${port})`;
    throw new ServiceError('internal', `The guard cannot listen at ${where}: ${why}`, { cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The guard has no port.');
  return address;
}
