import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

const NAME = 'hasExpressions';

/**
 * The expression of a hidden field. It is true if one of the fields of `fieldList` was entered as an expression, whose
 * result may differ for every item. `fieldList` is JavaScript for a list of field names. It may read and name only
 * fields that the editor shows: reading another one is an error, both from `$rawParameter`, which has the fields as
 * entered, and from `$self`, which has their results in newer versions of n8n.
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
