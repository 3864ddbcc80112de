import { readFile } from 'node:fs/promises';

const LISTENING = '0A';
const ESTABLISHED = '01';

const portOf = (address = '') => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);

/**
 * The ports of the callers whose connections a server on IPv4 still holds, according to the kernel (Linux). A caller
 * that keeps its own end open, or does not read, cannot see that the server has closed.
 */
export async function heldConnections(url: string): Promise<ReadonlySet<number>> {
  const serverPort = Number(new URL(url).port);
  const [, ...lines] = (await readFile('/proc/net/tcp', 'utf8')).trimEnd().split('\n');
  const held = lines.flatMap((line) => {
    const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/u);
    if (portOf(local) !== serverPort || state === LISTENING) return [];
    // Without an inode, a connection waits to be accepted, or the server has closed it and only the kernel is still
    // sending.
    return inode !== '0' || state === ESTABLISHED ? [portOf(remote)] : [];
  });
  return new Set(held);
}
