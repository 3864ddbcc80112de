/** The address of an operation's page, with values that fill its form. */
export const operationPath = (id: string, values: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(values);
  return `/reference/${id}${query.size === 0 ? '' : `?${query}`}`;
};
