import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { MAIN, nodeProperties } from '../shared/node-properties';
import { chosenOperation, runOperation } from '../shared/run-operation';
import { ServiceClient } from '../shared/service-client';
import { resources } from './resources';
import { referralService, signpostReferralApiTest } from './referral-service';

/** A node for the referral service: sends it requests with an access token, and shows or renews that token. */
export class SignpostReferral implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Signpost Referral',
    name: 'signpostReferral',
    icon: { light: 'file:../../icons/referral.svg', dark: 'file:../../icons/referral.dark.svg' },
    group: ['transform'],
    version: [1, 1.1],
    defaultVersion: 1.1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Call the referral service with an access token that renews itself',
    defaults: { name: 'Signpost Referral' },
    usableAsTool: true,
    inputs: MAIN,
    outputs: MAIN,
    credentials: [{ name: 'signpostReferralApi', required: true, testedBy: 'signpostReferralApiTest' }],
    properties: nodeProperties(resources),
  };

  methods = { credentialTest: { signpostReferralApiTest } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const operation = chosenOperation(this, resources);
    const client = new ServiceClient(this, referralService);
    return [await runOperation(this, client, operation)];
  }
}
