import type { SignpostApiError } from '../signpost-api-error.js';
import { waitInWords } from './wait-in-words.js';

const adviceByStatus: Readonly<Record<number, string>> = {
  400: 'Correct the arguments and call again.',
  401: 'Do not call again: tell the user that the API key has to be checked (SIGNPOST_API_KEY, or the header that the client sends).',
  413: 'Ask for less in one call.',
  500: 'Call again once; if it fails again, tell the user.',
  503: 'Call again later.',
  504: 'The page is slow: call again once, or capture another page.',
};

/** What a model does next after a refusal: the words of the server, and when or whether to call again. */
export function errorWords({ message, status, retryAfterSeconds }: SignpostApiError): string {
  if (status === undefined) return `${message} Do not call again: tell the user.`;
  if (retryAfterSeconds !== undefined) {
    const wait = waitInWords(retryAfterSeconds);
    return `${message} Do not call this server again for ${wait} (${retryAfterSeconds} s); tell the user if that is too long.`;
  }
  const advice = adviceByStatus[status];
  return advice === undefined ? message : `${message} ${advice}`;
}
