import type { z } from 'zod';
import { ERRORS, type ErrorName } from './errors.js';
import { formatBytes } from './format.js';
import { LIMITS } from './limits.js';

/** The answer of an operation: a JSON body with its schema, or a file of one of some media types. */
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
  /** Whether answers may be without it. */
  readonly isOptional?: true;
}

/** How n8n shows a field of a request, where that does not follow from the field's name and schema. */
export interface N8nField {
  /** The name of its parameter in saved workflows. */
  readonly parameter?: string;
  readonly displayName?: string;
  /** In place of a description that speaks of HTTP. */
  readonly description?: string;
  /** What its choices are for, by their values. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly decimals?: number;
  /** What the editor fills in first, where the interface has no default of its own. */
  readonly default?: number;
  /** The objects of a list are entered one by one, and not as JSON. */
  readonly hasEntries?: boolean;
  /** White space at the end of the text means something: one space of it is sent. */
  readonly keepsLastSpace?: boolean;
}

/** An operation in n8n: in the node Signpost where it is of interface A, in Signpost Referral where it is of B. */
export interface N8nOffer {
  /** Its name among the operations of its tag, from which n8n's value for it follows: "Look Up" is lookUp. */
  readonly name: string;
  /** The sentence in n8n's list of actions. */
  readonly action: string;
  readonly description: string;
  /** Optional fields that are parameters of their own, in this order; all others stand under Options. */
  readonly parameters?: readonly string[];
  readonly fields?: Readonly<Record<string, N8nField>>;
  /** Parameters of the node that no field stands behind, with the value that each has where a field is given. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** An operation as a tool of the MCP server, named as the operation in snake case. */
export interface McpOffer {
  /** What a model chooses the tool by. */
  readonly description: string;
}

/** One operation of the interface as data; everything else about it is derived from this. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** A: captures, postcodes, usage, with an API key. B: tokens, with a bearer token. */
  readonly interface: 'A' | 'B';
  /** What the caller has to show: its API key, its access token, or nothing but what the body holds. */
  readonly authentication: 'apiKey' | 'accessToken' | 'body';
  readonly tag: 'Capture' | 'Postcode' | 'Usage' | 'Token';
  readonly title: string;
  readonly description: string;
  readonly request?: z.ZodObject;
  /** Fields that are seldom wanted, by what they are for; all others are the usual ones. */
  readonly fieldGroups?: Readonly<Record<string, readonly string[]>>;
  /** The largest body that is taken, where it is not that of LIMITS. */
  readonly maxBodyBytes?: number;
  readonly response: OperationResponse;
  /** Headers of a successful answer, with what each carries. */
  readonly responseHeaders: Readonly<Record<string, HeaderDescription>>;
  readonly errors: readonly ErrorName[];
  /** Given where the operation is offered in n8n. */
  readonly n8n?: N8nOffer;
  /** Given where the operation is offered as a tool; of interface A alone. */
  readonly mcp?: McpOffer;
}

/** A header that holds a whole number. */
export const integerHeader = (description: string) => ({ type: 'integer', description }) as const;

/** A header that holds a text. */
export const stringHeader = (description: string) => ({ type: 'string', description }) as const;

/** A header that some answers alone have. */
export const optionalHeader = <Header extends HeaderDescription>(header: Header) =>
  ({ ...header, isOptional: true }) as const;

/** The largest request body that an operation takes. */
export const maxBodyBytesOf = ({ maxBodyBytes = LIMITS.bodyBytes.max }: Operation): number => maxBodyBytes;

/** What an error of an operation means, for people. */
export const errorDescription = (name: ErrorName, operation: Operation): string =>
  name === 'payloadTooLarge'
    ? `${ERRORS[name].description} At most ${formatBytes(maxBodyBytesOf(operation))} are taken.`
    : ERRORS[name].description;

/** What a caller may send for an operation: defaults may be left out. */
export type RequestInput<O extends Operation> = O['request'] extends z.ZodType
  ? z.input<O['request']>
  : undefined;

/** What the operation's handler gets: defaults filled in. */
export type RequestOutput<O extends Operation> = O['request'] extends z.ZodType
  ? z.output<O['request']>
  : undefined;

export type ResponseBody<O extends Operation> = O['response'] extends { kind: 'json'; schema: infer S }
  ? S extends z.ZodType
    ? z.output<S>
    : never
  : never;
