import type { ICredentialTestFunctions, IExecuteFunctions, IHttpRequestHelper } from 'n8n-workflow';

// What n8n hands a node has a hundred members, of which a test needs ten: here it is said that they are enough.

export const asExecution = (fake: Partial<Record<keyof IExecuteFunctions, unknown>>) =>
  fake as IExecuteFunctions;

export const asRequestHelper = (fake: { helpers: unknown }) => fake as IHttpRequestHelper;

export const asCredentialTest = (fake: { helpers: unknown }) => fake as ICredentialTestFunctions;
