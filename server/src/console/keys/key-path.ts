/** The page of one key of whoever is signed in. */
export const keyPath = (keyId: number): string => `/keys/${keyId}`;
