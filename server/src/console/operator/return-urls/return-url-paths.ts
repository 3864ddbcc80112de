export const RETURN_URLS_PATH = '/operator/return-urls';
export const REMOVE_PATH = `${RETURN_URLS_PATH}/remove`;

/** The page that asks before an address is removed. */
export const removePath = (url: string) => `${REMOVE_PATH}?url=${encodeURIComponent(url)}`;
