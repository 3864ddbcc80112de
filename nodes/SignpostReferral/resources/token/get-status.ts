import type { Operation } from '../../../shared/operation';
import { sendJson } from '../../../shared/send-json';

export const STATUS_PATH = '/api/token/status';

export const getStatus: Operation = {
  value: 'getStatus',
  name: 'Get Status',
  action: 'Get the status of the token',
  description: 'Get whom the access token stands for and when it ends',
  method: 'GET',
  path: STATUS_PATH,
  fields: [],
  concurrency: 1,
  run: async (call) => [
    {
      json: await sendJson(call, { method: 'GET', path: STATUS_PATH }),
      pairedItem: { item: call.itemIndex },
    },
  ],
};
