import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { LIMITS, LINKED_FILES_PATH, linkedFileHeaders } from '@signpost/contract';
import type { FileLinks, LinkedFile } from '../files/file-links.js';

const { minutes, max: MAX_FILES, maxBytes: MAX_BYTES } = LIMITS.linkedFiles;
const KEPT_MS = minutes * 60_000;
const CLEAN_INTERVAL_MS = 60_000;
const TOKEN_BYTES = 16;

interface MemoryFile extends LinkedFile {
  readonly callerId: string;
  readonly endsAtMs: number;
}

/**
 * Creates a store that keeps callers' files in memory for some minutes at most, each at an address below `baseUrl()`.
 */
export function createMemoryLinks(baseUrl: () => string, now: () => number) {
  // By token, the oldest file first.
  const files = new Map<string, MemoryFile>();

  const removeEnded = () => {
    for (const [token, { endsAtMs }] of files) if (endsAtMs <= now()) files.delete(token);
  };
  setInterval(removeEnded, CLEAN_INTERVAL_MS).unref();

  /** Removes a caller's oldest files until a new file fits. */
  const makeRoom = (callerId: string, bytes: number) => {
    const own = [...files].filter(([, file]) => file.callerId === callerId);
    let total = own.reduce((sum, [, { body }]) => sum + body.length, bytes);
    let count = own.length;
    for (const [token, { body }] of own) {
      if (count < MAX_FILES && total <= MAX_BYTES) return;
      files.delete(token);
      count -= 1;
      total -= body.length;
    }
  };

  return {
    linksOf: (callerId: string): FileLinks => ({
      kind: 'links',
      keep(file) {
        if (file.body.length > MAX_BYTES) return Promise.resolve(undefined);
        makeRoom(callerId, file.body.length);
        const token = randomBytes(TOKEN_BYTES).toString('base64url');
        files.set(token, { ...file, callerId, endsAtMs: now() + KEPT_MS });
        return Promise.resolve(`${baseUrl()}${LINKED_FILES_PATH}/${token}`);
      },
    }),

    /** Responds to a request and returns true if its path is that of a kept file; otherwise returns false. */
    answer(path: string, response: ServerResponse): boolean {
      removeEnded();
      const start = `${LINKED_FILES_PATH}/`;
      const file = path.startsWith(start) ? files.get(path.slice(start.length)) : undefined;
      if (file === undefined) return false;
      const { name, mediaType, body } = file;
      response.writeHead(200, { ...linkedFileHeaders(name, mediaType), 'Content-Length': body.length });
      response.end(body);
      return true;
    },
  };
}

export type MemoryLinks = ReturnType<typeof createMemoryLinks>;
