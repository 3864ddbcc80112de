import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  INode,
  INodeExecutionData,
} from 'n8n-workflow';
import { property } from '../../../nodes/shared/values';
import { asExecution } from './trusted-cast';

type Parameters = Readonly<Record<string, unknown>>;

const isList = (value: Parameters | readonly Parameters[]): value is readonly Parameters[] =>
  Array.isArray(value);

interface Setting {
  /** Parameters of all items, or of each; an Error is thrown when it is read, as by an expression that fails. */
  readonly parameters: Parameters | readonly Parameters[];
  readonly items?: readonly IDataObject[];
  /** The files of every item. */
  readonly files?: IBinaryKeyData;
  readonly credentials?: IDataObject;
  readonly continueOnFail?: boolean;
  readonly typeVersion?: number;
  readonly type?: string;
  readonly onError?: INode['onError'];
  readonly cancelSignal?: AbortSignal;
  /** Answers a request, or throws what n8n's helper throws. */
  readonly answer: (request: IHttpRequestOptions, credentialType: string) => unknown;
}

export interface FakeExecution {
  readonly context: IExecuteFunctions;
  /** Every request that was sent, in order. */
  readonly requests: IHttpRequestOptions[];
}

const node: INode = {
  id: '1',
  name: 'Signpost',
  type: 'n8n-nodes-signpost.signpost',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** An execution of a node without n8n: parameters are given, requests are answered by the test. */
export function fakeExecution(setting: Setting): FakeExecution {
  const { parameters, items = [{}], credentials = { baseUrl: 'http://signpost.test/' } } = setting;
  const requests: IHttpRequestOptions[] = [];
  const { files, typeVersion = 1, type = node.type, onError } = setting;
  const input: INodeExecutionData[] = items.map((json) => ({
    json,
    ...(files === undefined ? {} : { binary: files }),
  }));
  const parameterOf = (name: string, itemIndex: number, fallback?: unknown) => {
    const value = property(isList(parameters) ? parameters[itemIndex] : parameters, name) ?? fallback;
    if (value instanceof Error) throw value;
    return value;
  };
  const context = {
    getNode: () => ({ ...node, type, typeVersion, ...(onError === undefined ? {} : { onError }) }),
    getInputData: () => input,
    getExecutionId: () => '7',
    getNodeParameter: parameterOf,
    getCredentials: () => Promise.resolve(credentials),
    getExecutionCancelSignal: () => setting.cancelSignal,
    continueOnFail: () => setting.continueOnFail === true,
    addExecutionHints: () => undefined,
    helpers: {
      httpRequestWithAuthentication: async (credentialType: string, request: IHttpRequestOptions) => {
        requests.push(request);
        return await Promise.resolve(setting.answer(request, credentialType));
      },
      prepareBinaryData: (data: Buffer, fileName?: string, mimeType?: string) =>
        Promise.resolve({ data: data.toString('base64'), fileName, mimeType }),
    },
  };
  return { context: asExecution(context), requests };
}

/** A successful answer as n8n's helper gives it. */
export const success = (body: unknown, headers: IDataObject = {}) => ({ statusCode: 200, headers, body });

/** What n8n's helper throws for an HTTP error: its own error around that of the HTTP client. */
export const httpFailure = (status: number, data: unknown, headers: IDataObject = {}) =>
  Object.assign(new Error(`Request failed with status code ${status}`), {
    httpCode: String(status),
    cause: Object.assign(new Error('AxiosError'), { response: { status, headers, data } }),
  });

/** What n8n's helper throws where no answer came. */
export const networkFailure = (code: string) =>
  Object.assign(new Error(code), { cause: Object.assign(new Error(`connect ${code}`), { code }) });
