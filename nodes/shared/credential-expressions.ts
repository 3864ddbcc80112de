import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

const NAME = 'hasExpressions';

/**
 * A hidden field that is true if one of the shown fields holds an expression, which may differ for every item.
 * `$rawParameter` has the other fields as they were entered; `$self` has their results in newer versions of n8n. Neither
 * has the fields that are not shown, and reading one of those is an error. So `shown`, an expression, lists the fields
 * that are shown.
 */
const expressionFor = (shown: string): string =>
  `={{ ${shown}.some((name) => String($rawParameter["&" + name] ?? "").startsWith("=")) }}`;

export const expressionsField = (shown: string): INodeProperties => ({
  displayName: 'Has Expressions',
  name: NAME,
  type: 'hidden',
  default: expressionFor(shown),
});

/** The same field as data, for a credential that is stored again: n8n would store its result instead. */
export const expressionsData = (shown: string): Record<string, string> => ({ [NAME]: expressionFor(shown) });

/** Whether the credential may differ between items; undefined if it does not say. */
export const hasExpressions = (credentials: ICredentialDataDecryptedObject): boolean | undefined => {
  const value = credentials[NAME];
  return typeof value === 'boolean' ? value : undefined;
};
