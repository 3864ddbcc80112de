import type { INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { MAIN } from '../shared/node-properties';
import { SIGN_IN_CREDENTIAL, showIfSteps } from '../Signpost/sign-in';
import { signpostApiTest } from '../Signpost/signpost-service';
import { pollPage } from './poll-page';
import { LIST_OF_STEPS, triggerProperties } from './trigger-properties';

/** Starts a workflow when a page, or an element of it, has changed. */
export class SignpostTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Signpost Trigger',
    name: 'signpostTrigger',
    icon: { light: 'file:../../icons/signpost.svg', dark: 'file:../../icons/signpost.dark.svg' },
    group: ['trigger'],
    version: [1, 1.1],
    defaultVersion: 1.1,
    subtitle: '={{ $parameter["url"] }}',
    // n8n's list of nodes shows this text for the node and its trigger together.
    description: 'Capture web pages, look up UK postcodes, or start the workflow when a page has changed',
    defaults: { name: 'Signpost Trigger' },
    polling: true,
    inputs: [],
    outputs: MAIN,
    credentials: [
      { name: 'signpostApi', required: true, testedBy: 'signpostApiTest' },
      { name: SIGN_IN_CREDENTIAL, displayOptions: showIfSteps(LIST_OF_STEPS) },
    ],
    properties: triggerProperties,
  };

  methods = { credentialTest: { signpostApiTest } };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await pollPage(this);
  }
}
