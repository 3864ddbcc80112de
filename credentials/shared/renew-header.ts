/** Tells the credential to renew the token before it sends the request; each value is obeyed once, none is sent. */
export const RENEW_HEADER = 'X-Signpost-Renew';
