import { maximumWaitMs } from '../../../shared/common-options';
import type { Operation } from '../../../shared/operation';
import { answerItems } from './call-answer';
import { callRequest } from './call-request';
import { callOptions, callParameters } from './parameters';

export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send a request to the referral service',
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
