import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { MAIN, nodeProperties } from '../shared/node-properties';
import { listOfOption } from '../shared/option-groups';
import { chosenOperation, runOperation } from '../shared/run-operation';
import { ServiceClient } from '../shared/service-client';
import { captureScreenshot } from './capture/capture-operations';
import { resources } from './resources';
import { SIGN_IN_CREDENTIAL, showIfSteps } from './sign-in';
import { signpostApiTest, signpostService } from './signpost-service';

/** A node for the captures, postcodes and usage of a Signpost server. */
export class Signpost implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Signpost',
    name: 'signpost',
    icon: { light: 'file:../../icons/signpost.svg', dark: 'file:../../icons/signpost.dark.svg' },
    group: ['transform'],
    version: [1, 1.1, 1.2],
    defaultVersion: 1.2,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Capture web pages as images or PDFs and look up UK postcodes',
    defaults: { name: 'Signpost' },
    usableAsTool: true,
    inputs: MAIN,
    outputs: MAIN,
    credentials: [
      { name: 'signpostApi', required: true, testedBy: 'signpostApiTest' },
      // All operations with steps have them in the same list of options.
      { name: SIGN_IN_CREDENTIAL, displayOptions: showIfSteps(listOfOption(captureScreenshot, 'steps')) },
    ],
    properties: nodeProperties(resources),
  };

  methods = { credentialTest: { signpostApiTest } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const operation = chosenOperation(this, resources);
    const client = new ServiceClient(this, signpostService);
    return [await runOperation(this, client, operation)];
  }
}
