import { contractOperation, type OperationId } from '../../shared/contract-operations';
import type { Operation } from '../../shared/operation';
import { captureFile, type CaptureKind } from './capture-file';
import { captureOptions, captureOutput } from './output-parameters';

/** A capture keeps a browser of the server busy. */
const FEW_AT_ONCE = 2;

const captureOperation = (id: OperationId, kind: CaptureKind, fileName: string): Operation => {
  const offered = contractOperation(id);
  return {
    ...offered,
    ownParameters: captureOutput,
    ownOptions: captureOptions(fileName),
    concurrency: FEW_AT_ONCE,
    run: (call) => captureFile(call, offered, kind),
  };
};

export const captureScreenshot = captureOperation(
  'captureScreenshot',
  { timeHeader: 'x-capture-time-ms', extension: 'png' },
  'e.g. home-page.png',
);

export const capturePdf = captureOperation(
  'capturePdf',
  { timeHeader: 'x-generation-time-ms', extension: 'pdf' },
  'e.g. report.pdf',
);
