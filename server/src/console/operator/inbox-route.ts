export const INBOX_PATH = '/operator/inbox';

/** What an operator does with one request. */
export const requestPath = (requestId: string, act: 'approve' | 'refuse') =>
  `${INBOX_PATH}/${encodeURIComponent(requestId)}/${act}`;
