import { type IDataObject, NodeApiError, type NodeOperationError } from 'n8n-workflow';

/** The fields of a failed item that say what went wrong. */
export function failureJson(error: NodeApiError | NodeOperationError): IDataObject {
  const { message, description } = error;
  const httpCode = error instanceof NodeApiError ? error.httpCode : null;
  const details: IDataObject = {
    ...(typeof description === 'string' ? { description } : {}),
    ...(httpCode === null ? {} : { httpStatus: Number(httpCode) }),
  };
  return { error: message, details };
}

const isDetail = ([name, value]: [string, unknown]) =>
  (name === 'description' && typeof value === 'string') ||
  (name === 'httpStatus' && typeof value === 'number');

const isDetails = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(isDetail);

/** The fields of an item without those of an earlier failure; a field `error` of the user's own stays. */
export function withoutFailure(json: IDataObject): IDataObject {
  const { error, details, ...others } = json;
  return typeof error === 'string' && isDetails(details) ? others : json;
}
