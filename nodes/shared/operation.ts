import type {
  IDataObject,
  IExecuteFunctions,
  IHttpRequestMethods,
  INodeExecutionData,
  INodeProperties,
} from 'n8n-workflow';
import type { RequestField } from './contract-fields';
import type { FileNames } from './file-names';
import type { Sender } from './service';
import { isObject } from './values';

/** One input item of an operation. */
export interface OperationCall {
  readonly context: IExecuteFunctions;
  readonly client: Sender;
  /** Names the files of a node, so that no two of one execution have the same name. */
  readonly fileNames: FileNames;
  readonly itemIndex: number;
  /** The options of this item, from all parameters that contain options. */
  readonly options: IDataObject;
}

/** An operation with a JSON response. */
export interface JsonOperation {
  readonly method: IHttpRequestMethods;
  readonly path: string;
  /** Fields of which every Signpost server sends at least one in the response. Empty if that is not known. */
  readonly answerFields: readonly string[];
  /** False if a second request would do something a second time. */
  readonly isRepeatable?: boolean;
}

/** One operation of a node: its parameters in the editor, and its work. */
export interface Operation {
  readonly value: string;
  /** The name of the operation within its resource. */
  readonly name: string;
  /** The sentence in n8n's list of actions. */
  readonly action: string;
  readonly description: string;
  readonly method?: IHttpRequestMethods;
  readonly path?: string;
  readonly fields: readonly RequestField[];
  /** The names of fields by the group in which the editor shows them, for operations with many options. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that the editor shows before those of `fields`. */
  readonly leadingParameters?: readonly INodeProperties[];
  /** Parameters that the editor shows after those of `fields` and before the options. */
  readonly ownParameters?: readonly INodeProperties[];
  /** Options that are not fields of the request. */
  readonly ownOptions?: readonly INodeProperties[];
  /** The default number of concurrent requests. */
  readonly concurrency: number;
  readonly run: (call: OperationCall) => Promise<INodeExecutionData[]>;
  /** Set if the operation can process several items at once. */
  readonly groupRun?: GroupRun;
}

export interface GroupRun {
  /** Whether the node processes its items together, not one by one. */
  readonly isWanted: (context: IExecuteFunctions) => boolean;
  /** The maximum number of items that one call of `run` gets. */
  readonly size: number;
  /**
   * Processes several items at once. Returns a promise for the output of each, in order, so that an error fails only
   * its own item.
   */
  readonly run: (calls: readonly OperationCall[]) => readonly Promise<INodeExecutionData[]>[];
}

export interface Resource {
  readonly value: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** One item. Its options are read when they are first needed, so that a wrong expression fails only this item. */
export class ItemCall implements OperationCall {
  #options: IDataObject | undefined;

  constructor(
    readonly context: IExecuteFunctions,
    readonly client: Sender,
    readonly fileNames: FileNames,
    readonly itemIndex: number,
    /** The parameters that contain options, besides Options itself. */
    readonly optionLists: readonly string[],
  ) {}

  get options(): IDataObject {
    this.#options ??= Object.fromEntries(
      [...this.optionLists, 'options'].flatMap((list) => this.#optionsIn(list)),
    );
    return this.#options;
  }

  #optionsIn(list: string): [string, IDataObject[string]][] {
    const options = this.context.getNodeParameter(list, this.itemIndex, {});
    return isObject(options) ? Object.entries(options) : [];
  }
}
