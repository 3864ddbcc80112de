export * from './captures.js';
export * from './errors.js';
export * from './limits.js';
export * from './operation.js';
export * from './operations.js';
export * from './postcodes.js';
export * from './tokens.js';
export * from './usage.js';
