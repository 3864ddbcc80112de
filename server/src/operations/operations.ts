import type { ApiKeyOperationId } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import type { ReadUsage } from '../usage/usage-statistics.js';
import { areaOperations } from './area-operations.js';
import { captureOperations } from './capture-operations.js';
import type { CaptureCaches } from './capture-cache.js';
import { contentOperations } from './content-operations.js';
import { distanceOperations } from './distance-operations.js';
import { linkOperations, type MakeLink } from './link-operations.js';
import type { BoundOperation } from './operation-handler.js';
import { postcodeOperations } from './postcode-operations.js';
import { type ReadProjectName, usageOperations } from './usage-operations.js';

/** The dependencies of the operations of interface A. */
export interface Domain {
  readonly directories: DirectoryStore;
  readonly capture: Pick<CaptureQueue, 'reserve' | 'screenshot' | 'pdf' | 'content'>;
  readonly readUsage: ReadUsage;
  readonly readProjectName: ReadProjectName;
  readonly captureCaches: CaptureCaches;
  readonly makeLink: MakeLink;
}

export type ApiKeyOperations = Readonly<Record<ApiKeyOperationId, BoundOperation>>;

/** Every operation of interface A with its handler. */
export function apiKeyOperations(domain: Domain): ApiKeyOperations {
  const { directories, capture, readUsage, readProjectName, captureCaches, makeLink } = domain;
  const writer = new CurrentRecordWriter();
  // Prepares the writer for the current directory, so that the first request does not have to wait.
  writer.of(directories.current().table);
  return {
    ...captureOperations(capture, captureCaches),
    ...contentOperations(capture, captureCaches),
    ...linkOperations(makeLink),
    ...postcodeOperations(directories, writer),
    ...areaOperations(directories),
    ...distanceOperations(directories, writer),
    ...usageOperations(readUsage, readProjectName),
  };
}
