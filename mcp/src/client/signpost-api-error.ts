import { formatDuration } from '@signpost/contract';

interface SignpostApiErrorDetails {
  /** HTTP status of the response; undefined without a response. */
  readonly status?: number | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number | undefined;
  /**
   * Whether the directory lacks what was requested: a postcode, its position, an outcode or an area. Any other 404
   * means a wrong address.
   */
  readonly isNotInDirectory?: boolean | undefined;
}

/** A call that was rejected or failed. The message is for the caller. */
export class SignpostApiError extends Error {
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly isNotInDirectory: boolean;

  constructor(message: string, details: SignpostApiErrorDetails = {}) {
    super(message);
    this.name = 'SignpostApiError';
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.isNotInDirectory = details.isNotInDirectory === true;
  }
}

const adviceByStatus: Readonly<Record<number, string>> = {
  400: 'Call again only with other arguments.',
  401: 'Do not call again: tell the user that the API key has to be checked (SIGNPOST_API_KEY, or the header that the client sends).',
  413: 'Ask for less in one call.',
  500: 'Call again once; if it fails again, tell the user.',
  503: 'Call again later.',
  504: 'The page is slow: call again once, or capture another page.',
};

/** An error as text for a model: the message and, if it is known, whether or when to call again. */
export function formatError(
  { message: errorMessage, status, retryAfterSeconds }: SignpostApiError,
  message = errorMessage,
): string {
  if (status === undefined) return `${message} Do not call again: tell the user.`;
  if (retryAfterSeconds !== undefined) {
    const wait = formatDuration(retryAfterSeconds);
    return `${message} Do not call this server again for ${wait}; tell the user if that is too long.`;
  }
  const advice = adviceByStatus[status];
  return advice === undefined ? message : `${message} ${advice}`;
}

/**
 * Returns a message of `formatError` without its end from " Do not call" or " Call again" on, which is advice for a
 * model.
 */
export const withoutModelAdvice = (message: string): string =>
  message.replace(/ (?:Do not call|Call again)\b.*$/su, '');
