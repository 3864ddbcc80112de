const MOST_CHARACTERS = 300;

/** A page's address as words repeat it. */
export const shownUrl = (url: string): string =>
  url.length > MOST_CHARACTERS ? `${url.slice(0, MOST_CHARACTERS)}…` : url;
