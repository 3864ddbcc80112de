import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

const NAME = 'hasExpressions';

/**
 * The expression of a hidden field. It is true if one of the fields of `fieldList` contains an expression, whose result
 * may differ for every item. `$rawParameter` has the other fields as they were entered; in newer versions of n8n,
 * `$self` has their results. Neither of the two has fields that the editor does not show, and reading such a field is
 * an error. So `fieldList` is JavaScript for a list of the names of the fields that are shown.
 */
const expressionFor = (fieldList: string): string =>
  `={{ ${fieldList}.some((name) => String($rawParameter["&" + name] ?? "").startsWith("=")) }}`;

export const expressionsField = (fieldList: string): INodeProperties => ({
  displayName: 'Has Expressions',
  name: NAME,
  type: 'hidden',
  default: expressionFor(fieldList),
});

/**
 * The hidden field with its expression as data, for a credential that is stored again. Otherwise n8n would store the
 * expression's result.
 */
export const expressionsData = (fieldList: string): Record<string, string> => ({
  [NAME]: expressionFor(fieldList),
});

/** Whether the credential may differ between items; undefined if the credential does not say. */
export const hasExpressions = (credentials: ICredentialDataDecryptedObject): boolean | undefined => {
  const value = credentials[NAME];
  return typeof value === 'boolean' ? value : undefined;
};
