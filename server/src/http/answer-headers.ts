/**
 * Headers of every answer: nobody guesses its type, and nobody keeps it. What may be kept, such as a published document,
 * says so itself.
 */
export const headersOfAnswer = (requestId: string) => ({
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Request-Id': requestId,
});
