/** Work on a document failed because another document has replaced it, or is about to. */
export class PageMovedOn extends Error {}
