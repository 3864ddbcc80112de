/** Another document has replaced the one that the work was for. */
export class PageMovedOn extends Error {}
