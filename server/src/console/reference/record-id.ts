/** Where on the page a record is described. */
export const recordId = (name: string): string => `record-${name}`;
