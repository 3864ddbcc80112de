import { totalmem } from 'node:os';
import { showsProcesses } from '../capture/browser/browser-processes.js';
import type { Finding } from '../platform/finding.js';
import type { Config } from './config.js';
import { MIN_CAPTURE_MEGABYTES } from './config-values.js';

const MEGABYTE = 1_000_000;

/** What the server with a whole directory and the browser processes that all pages share need together. */
const OWN_BYTES = 1_500 * MEGABYTE;

/**
 * The memory that the server may use, and whose it is: the limit of its control group if that is lower than the memory
 * of the machine, otherwise the memory of the machine.
 */
function availableMemory() {
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  return { bytes: isLimited ? limit : totalmem(), owner: isLimited ? 'its control group' : 'the machine' };
}

const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;

/** Names the settings with which captures fit into the memory. If there are none, says how much memory is needed. */
function adviceFor({ bytes, owner }: ReturnType<typeof availableMemory>, maxMemoryBytes: number): string {
  const bytesLeft = bytes - OWN_BYTES;
  const fitting = Math.floor(bytesLeft / maxMemoryBytes);
  if (fitting >= 1)
    return `Set SIGNPOST_CAPTURE_CONCURRENCY=${fitting}, or lower SIGNPOST_CAPTURE_MEMORY_MEGABYTES, or give ${owner} more memory.`;
  const least = `give ${owner} at least ${megabytes(OWN_BYTES + maxMemoryBytes)}`;
  const megabytesLeft = Math.floor(bytesLeft / MEGABYTE);
  return megabytesLeft >= MIN_CAPTURE_MEGABYTES
    ? `Set SIGNPOST_CAPTURE_CONCURRENCY=1 and SIGNPOST_CAPTURE_MEMORY_MEGABYTES=${megabytesLeft}, or ${least}.`
    : `No settings make captures fit: ${least}, with SIGNPOST_CAPTURE_CONCURRENCY=1.`;
}

/** Whether the memory of each capture is limited, and captures fit into the memory. No finding for remote browsers. */
export function memoryFinding(
  { browser, capture }: Pick<Config, 'browser' | 'capture'>,
  available = availableMemory(),
): readonly Finding[] {
  const name = 'Memory of captures';
  if (browser.endpoints.length > 0) return [];
  const { concurrency, maxMemoryBytes } = capture;
  const bound = `${maxMemoryBytes / MEGABYTE} MB each`;
  if (!showsProcesses())
    return [
      {
        name,
        state: 'could be better',
        message: `not bounded to ${bound}: this system does not show how much memory the browser uses`,
        advice:
          'SIGNPOST_CAPTURE_MEMORY_MEGABYTES works only on Linux. If other people capture pages, run the server there.',
      },
    ];
  const total = `${concurrency} at a time, ${bound}`;
  const neededBytes = OWN_BYTES + concurrency * maxMemoryBytes;
  if (neededBytes <= available.bytes) return [{ name, state: 'works', message: `bounded: ${total}` }];
  return [
    {
      name,
      state: 'could be better',
      message: `${total}: with the server itself up to ${megabytes(neededBytes)}, but ${available.owner} has ${megabytes(available.bytes)}. Heavy pages end the browser`,
      advice: adviceFor(available, maxMemoryBytes),
    },
  ];
}
