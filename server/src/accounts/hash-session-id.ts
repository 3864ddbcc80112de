import { createHash } from 'node:crypto';

/** What is stored in place of a cookie's session id, so that a copy of the database opens no session. */
export const hashSessionId = (id: string): string => createHash('sha256').update(id).digest('hex');
