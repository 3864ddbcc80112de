import type { z } from 'zod';
import { ERRORS, type ErrorName } from './errors.js';
import { formatBytes } from './format.js';
import { LIMITS } from './limits.js';

/** The response of an operation: JSON with its schema, or a file of one of several media types. */
export type OperationResponse =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | {
      readonly kind: 'file';
      readonly mediaTypes: readonly [string, ...string[]];
      readonly description: string;
    };

export interface HeaderDescription {
  readonly type: 'integer' | 'string';
  readonly description: string;
  /** Set if some responses do not have this header. */
  readonly isOptional?: true;
}

/** How n8n shows a field of a request, if that differs from what follows from its name and schema. */
export interface N8nField {
  /** The name of the parameter in saved workflows. */
  readonly parameter?: string;
  readonly displayName?: string;
  /** The description in n8n, if it differs from the one in the schema. */
  readonly description?: string;
  /** Descriptions of the field's choices, by value. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly decimals?: number;
  /** The value with which the editor fills the field, if the interface has no default. */
  readonly default?: number;
  /** A remark under the input. */
  readonly hint?: string;
  /** Set if the objects of a list are entered one by one, and not as JSON. */
  readonly hasEntries?: boolean;
  /**
   * For a list of objects that each have exactly one of several fields: the names of these fields, each with the names
   * of the further fields that go with it. In n8n, the parameter "action" of an entry chooses the field.
   */
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
  /** The settings of the fields of an object, or of each object of a list. */
  readonly parts?: Readonly<Record<string, N8nField>>;
  /** Fields of an object that are parameters of their own. The other fields are entered as JSON. */
  readonly own?: readonly string[];
  /** Set if a trailing space matters: white space at the end of the text is sent as one space. */
  readonly keepsLastSpace?: boolean;
}

/** An operation in n8n. Interface A is in the node Signpost, interface B in Signpost Referral. */
export interface N8nOffer {
  /** The operation's name within its tag. n8n's value is the same in camel case: "Look Up" is lookUp. */
  readonly name: string;
  /** The sentence in n8n's list of actions. */
  readonly action: string;
  readonly description: string;
  /** Optional fields that get parameters of their own, in this order. All other optional fields are under Options. */
  readonly parameters?: readonly string[];
  readonly fields?: Readonly<Record<string, N8nField>>;
  /**
   * By field: the node parameters, with the values that they must have for the field to be sent. The parameters
   * themselves are not sent.
   */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** An operation as a tool of the MCP server. The tool's name is the operation's id in snake case. */
export interface McpOffer {
  /** The text by which models choose the tool. */
  readonly description: string;
}

/** One operation of the interface as data. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** A: captures, postcodes, usage, with an API key. B: tokens, with an access token or a token in the body. */
  readonly interface: 'A' | 'B';
  /** How callers authenticate: with an API key, an access token, or a token in the body. */
  readonly authentication: 'apiKey' | 'accessToken' | 'body';
  readonly tag: 'Capture' | 'Postcode' | 'Usage' | 'Token';
  readonly title: string;
  readonly description: string;
  readonly request?: z.ZodObject;
  /** Less common fields, grouped by purpose. Fields in no group are common ones. */
  readonly fieldGroups?: Readonly<Record<string, readonly string[]>>;
  /** The size limit of the request body, if it is not LIMITS.bodyBytes.max. */
  readonly maxBodyBytes?: number;
  readonly response: OperationResponse;
  /** Headers of a successful response. */
  readonly responseHeaders: Readonly<Record<string, HeaderDescription>>;
  readonly errors: readonly ErrorName[];
  /** Set if the operation is offered in n8n. */
  readonly n8n?: N8nOffer;
  /**
   * Set if the operation is an MCP tool. Only operations of interface A may be, because the tools have only an API key.
   */
  readonly mcp?: McpOffer;
}

export const integerHeader = (description: string) => ({ type: 'integer', description }) as const;

export const stringHeader = (description: string) => ({ type: 'string', description }) as const;

/** Marks a header that some responses do not have. */
export const optionalHeader = <Header extends HeaderDescription>(header: Header) =>
  ({ ...header, isOptional: true }) as const;

/**
 * Returns the schema of a response field that older servers do not send. Clients read `value` in its place; documents
 * describe the field as one that is always there.
 */
export const newerField = <Schema extends z.ZodType>(value: z.input<Schema>, schema: Schema) =>
  schema.prefault(value);

/** The size limit of an operation's request body. */
export const maxBodyBytesOf = ({ maxBodyBytes = LIMITS.bodyBytes.max }: Operation): number => maxBodyBytes;

/** The meaning of an operation's error, for people. */
export const errorDescription = (name: ErrorName, operation: Operation): string =>
  name === 'payloadTooLarge'
    ? `${ERRORS[name].description} At most ${formatBytes(maxBodyBytesOf(operation))} are taken.`
    : ERRORS[name].description;

/** The request type before parsing: fields with defaults are optional. */
export type RequestInput<O extends Operation> = O['request'] extends z.ZodType
  ? z.input<O['request']>
  : undefined;

/** The request type that the handler gets: defaults are filled in. */
export type RequestOutput<O extends Operation> = O['request'] extends z.ZodType
  ? z.output<O['request']>
  : undefined;

export type ResponseBody<O extends Operation> = O['response'] extends { kind: 'json'; schema: infer S }
  ? S extends z.ZodType
    ? z.output<S>
    : never
  : never;
