import type { INodeProperties } from 'n8n-workflow';
import { contractOperation, type OperationId } from '../../shared/contract-operations';
import type { Operation } from '../../shared/operation';
import { keepInputOption, outputOptions } from '../../shared/results';
import { captureFile, type CaptureKind, captureTimeoutMs, DEFAULT_JSON_KILOBYTES } from './capture-file';
import { pageBody, sourceParameters, withSources } from './page-source';

/** The parameters for the output of the file. */
const captureOutput: readonly INodeProperties[] = [
  {
    displayName: 'Output',
    name: 'output',
    type: 'options',
    options: [
      {
        name: 'Base64 in JSON',
        value: 'base64',
        description: 'The file as text in the field "base64", for AI agents and other APIs',
      },
      {
        name: 'Binary File',
        value: 'binary',
        description: 'A file for the next nodes. An AI agent gets its description but not the file.',
      },
      {
        name: 'Data URL in JSON',
        value: 'dataUrl',
        description: 'The file as a data: address in the field "dataUrl", for HTML pages and AI agents',
      },
    ],
    default: 'binary',
    description: 'How to pass the file on. Its size, type and capture time are always in the JSON.',
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    placeholder: 'e.g. data',
    hint: 'The name of the output binary field to put the file in',
    description:
      'A file of this name that the item already has is replaced. To keep both, give another name.',
    displayOptions: { show: { output: ['binary'] } },
  },
];

/** Options of a capture that only the node uses. */
const captureOptions = (fileName: string): INodeProperties[] => [
  {
    displayName: 'File Name',
    name: 'fileName',
    type: 'string',
    default: '',
    placeholder: fileName,
    description:
      'The name of the file. If it is empty, the host and path of the page, or the name of the HTML file. If an earlier file of the execution has that name, the query of the page is added, or a number.',
  },
  ...outputOptions,
  keepInputOption(
    'Keep Input Fields and Files',
    'Whether the item keeps the fields and files that it came with, in addition to those of the capture. A file or field of the same name is replaced. For an item that failed, this applies only to the files.',
  ),
  {
    displayName: 'JSON Limit (Kilobytes)',
    name: 'maximumJsonKilobytes',
    type: 'number',
    typeOptions: { minValue: 1, numberPrecision: 0 },
    default: DEFAULT_JSON_KILOBYTES,
    description:
      'The largest file to put into the JSON, in kilobytes. A larger file is an error. This has no effect on a binary file.',
  },
];

/** The default number of concurrent requests that load a page. */
const FEW_AT_ONCE = 2;

const captureOperation = (id: OperationId, kind: CaptureKind, fileName: string): Operation => {
  const contract = contractOperation(id);
  const offered = { ...contract, fields: withSources(contract.fields) };
  return {
    ...offered,
    leadingParameters: sourceParameters,
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

/** This operation returns the text of a page, not a file. It needs the same timeout as captures. */
const pageOperation = contractOperation('readPage', {
  timeoutOf: captureTimeoutMs,
  bodyOf: (call, fields) => pageBody(call, withSources(fields)).bodyToSend(),
});

export const readPage: Operation = {
  ...pageOperation,
  fields: withSources(pageOperation.fields),
  leadingParameters: sourceParameters,
  concurrency: FEW_AT_ONCE,
};

export const capturePdf = captureOperation(
  'capturePdf',
  { timeHeader: 'x-generation-time-ms', extension: 'pdf' },
  'e.g. report.pdf',
);
