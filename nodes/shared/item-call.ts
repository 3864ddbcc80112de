import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { FileNames } from './file-names';
import type { OperationCall } from './operation';
import type { ServiceClient } from './service-client';

/** One item; its options are read when they are wanted, so that a wrong expression fails its own item alone. */
export class ItemCall implements OperationCall {
  #options: IDataObject | undefined;

  constructor(
    readonly context: IExecuteFunctions,
    readonly client: ServiceClient,
    readonly fileNames: FileNames,
    readonly itemIndex: number,
  ) {}

  get options(): IDataObject {
    this.#options ??= this.context.getNodeParameter('options', this.itemIndex, {});
    return this.#options;
  }
}
