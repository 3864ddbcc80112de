export { SignpostApiError } from './signpost-api-error.js';
export * from './signpost-client.js';
export type { FileAnswer, OperationAnswer } from './operation-answer.js';
