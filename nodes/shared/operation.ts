import type {
  IDataObject,
  IExecuteFunctions,
  IHttpRequestMethods,
  INodeExecutionData,
  INodeProperties,
} from 'n8n-workflow';
import type { FileNames } from './file-names';
import type { Sender } from './service';

/** One item that an operation works for. */
export interface OperationCall {
  readonly context: IExecuteFunctions;
  readonly client: Sender;
  /** Names the files of this run. */
  readonly fileNames: FileNames;
  readonly itemIndex: number;
  /** The Options collection as it stands for this item. */
  readonly options: IDataObject;
}

/** A field of the interface and the parameter in which the user gives it. */
export interface RequestField {
  /** The field's name in the request. */
  readonly field: string;
  /** Among the Options rather than a parameter of its own. */
  readonly isOption?: boolean;
  /** White space at the end of the text means something: one space of it is sent. */
  readonly keepsLastSpace?: boolean;
  /** Entered as a list of names and values; sent as an object. */
  readonly isRecord?: boolean;
  readonly parameter: INodeProperties;
  /** What no field stands behind and is shown before this parameter. */
  readonly before?: INodeProperties;
}

/** An operation whose answer is JSON. */
export interface JsonOperation {
  readonly method: IHttpRequestMethods;
  readonly path: string;
  /** Fields of the answer, at least one of which every Signpost server sends; none if that is not known. */
  readonly answerFields: readonly string[];
}

/** One operation of a node: what the editor shows for it, and what it does. */
export interface Operation {
  readonly value: string;
  /** The name of the operation among the others of its resource. */
  readonly name: string;
  /** The sentence in n8n's list of actions. */
  readonly action: string;
  readonly description: string;
  readonly method?: IHttpRequestMethods;
  readonly path?: string;
  readonly fields: readonly RequestField[];
  /** Parameters and options that no field of the request stands behind; the leading ones come before the fields. */
  readonly leadingParameters?: readonly INodeProperties[];
  readonly ownParameters?: readonly INodeProperties[];
  readonly ownOptions?: readonly INodeProperties[];
  /** How many requests are under way at once where the user has not said. */
  readonly concurrency: number;
  readonly run: (call: OperationCall) => Promise<INodeExecutionData[]>;
  /** Works for several items at once; given where the operation can do so. */
  readonly together?: Together;
}

export interface Together {
  /** Whether the user wants it. */
  readonly isWanted: (context: IExecuteFunctions) => boolean;
  /** How many items are worked for together at most. */
  readonly size: number;
  /** Promises the items of each of the calls, in their order, so that what is wrong with one fails it alone. */
  readonly run: (calls: readonly OperationCall[]) => readonly Promise<INodeExecutionData[]>[];
}

export interface Resource {
  readonly value: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** One item; its options are read when they are wanted, so that a wrong expression fails its own item alone. */
export class ItemCall implements OperationCall {
  #options: IDataObject | undefined;

  constructor(
    readonly context: IExecuteFunctions,
    readonly client: Sender,
    readonly fileNames: FileNames,
    readonly itemIndex: number,
  ) {}

  get options(): IDataObject {
    this.#options ??= this.context.getNodeParameter('options', this.itemIndex, {});
    return this.#options;
  }
}
