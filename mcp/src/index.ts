export type { Backend, CallOptions, OperationAnswer } from './client/backend.js';
export { retryingBackend } from './client/retrying-backend.js';
export { SignpostApiError } from './client/signpost-api-error.js';
export { createSignpostClient, type SignpostClient } from './client/signpost-client.js';
export type { LinkedFile } from './files/file-links.js';
export { createOutputFolder, defaultFolder } from './files/output-folder.js';
export { createHttpEndpoint } from './protocol/http-endpoint.js';
export { countMessages, isPlainToolCall, messagesProblem } from './protocol/request-messages.js';
export { serveStdio } from './protocol/serve-stdio.js';
