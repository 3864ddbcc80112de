/**
 * Headers of every answer: nobody guesses its type, and nobody keeps it. What may be kept, such as a published document,
 * says so itself.
 */
export const HEADERS_OF_EVERY_ANSWER = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;
