import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../shared/operation';
import { maximumWaitMs } from '../shared/pacing';
import { answerItems } from './call-answer';
import { callRequest } from './call-request';

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

const callParameters: readonly INodeProperties[] = [
  {
    displayName: 'Method',
    name: 'method',
    type: 'options',
    noDataExpression: true,
    options: METHODS.map((method) => ({ name: method, value: method })),
    default: 'GET',
    description: 'The HTTP method of the request',
  },
  {
    displayName: 'Path',
    name: 'path',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. /api/token/status',
    hint: 'The part after the Base URL of the credential',
    description:
      'The path below the address of the service. The access token is added, and renewed when it ends.',
  },
  {
    displayName: 'Query Parameters',
    name: 'query',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: 'Add Parameter',
    default: {},
    description: 'Parameters after the question mark; for paging, give the page here',
    options: [
      {
        displayName: 'Parameter',
        name: 'parameters',
        values: [
          {
            displayName: 'Name',
            name: 'name',
            type: 'string',
            default: '',
            placeholder: 'e.g. page',
            description: 'The name of the parameter. You can give the same name several times.',
          },
          {
            displayName: 'Value',
            name: 'value',
            type: 'string',
            default: '',
            placeholder: 'e.g. 2',
            description: 'The value of the parameter',
          },
        ],
      },
    ],
  },
  {
    displayName: 'Body',
    name: 'body',
    type: 'json',
    default: '',
    description: 'The JSON body of the request. If it is empty, no body is sent.',
    displayOptions: { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } },
  },
];

const callOptions: readonly INodeProperties[] = [
  {
    displayName: 'Full Response',
    name: 'fullResponse',
    type: 'boolean',
    default: false,
    description: 'Whether to return the status and headers with the body instead of only the body',
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    placeholder: 'e.g. data',
    hint: 'The name of the output binary field to put the file in',
    description: 'The binary field for an answer that is neither JSON nor text',
  },
  {
    displayName: 'Timeout (Seconds)',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 0 },
    default: 60,
    description: 'How long to wait for the answer',
  },
];

export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send request to referral service',
  description: 'Send any request to the service with the access token attached',
  fields: [],
  ownParameters: callParameters,
  ownOptions: callOptions,
  concurrency: 5,
  run: async (call) => {
    const { itemIndex } = call;
    const answer = await call.client.send(callRequest(call), {
      itemIndex,
      maximumWaitMs: maximumWaitMs(call),
    });
    return await answerItems(call, answer);
  },
};
