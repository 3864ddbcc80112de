import { z } from 'zod';
import type { Credential, N8n } from './n8n.js';
import type { NodeSketch } from './workflow.js';

const PACKAGE = '@n8n/n8n-nodes-langchain';
const CLIENT_VERSION = 1.1;
const CLIENT_TOOL_VERSION = 1.4;

/**
 * The names of the credentials. "bearer" sends a key as a bearer token, "header" and "fields" send one as a header, and
 * "wrong" sends a key that does not exist. No two share a key, because a server limits how many lists a key may
 * request per minute.
 */
type KeyOf = 'header' | 'fields' | 'bearer' | 'wrong';

const header = (name: KeyOf, value: string): Credential => ({
  name,
  type: 'httpHeaderAuth',
  data: { name: 'X-Api-Key', value },
});

export async function mcpCredentials(createKey: () => Promise<string>): Promise<readonly Credential[]> {
  return [
    header('header', await createKey()),
    header('fields', await createKey()),
    header('wrong', 'sp_live_nobody'),
    { name: 'bearer', type: 'httpBearerAuth', data: { token: await createKey() } },
  ];
}

const connection = (endpointUrl: string, key: KeyOf) => {
  const credential = { id: key, name: key };
  const parameters = { serverTransport: 'httpStreamable', endpointUrl };
  return key === 'bearer'
    ? {
        parameters: { ...parameters, authentication: 'bearerAuth' },
        credentials: { httpBearerAuth: credential },
      }
    : {
        parameters: { ...parameters, authentication: 'headerAuth' },
        credentials: { httpHeaderAuth: credential },
      };
};

/** A call for n8n's "MCP Client": with the fields of its editor, or with all arguments as JSON. */
export interface McpCall {
  readonly tool: string;
  readonly key?: KeyOf;
  readonly fields?: readonly ToolField[];
  readonly toolArguments?: Readonly<Record<string, unknown>>;
}

const inputOf = ({ fields, toolArguments = {} }: McpCall) =>
  fields === undefined
    ? { inputMode: 'json', jsonInput: JSON.stringify(toolArguments) }
    : {
        inputMode: 'manual',
        parameters: {
          mappingMode: 'defineBelow',
          // The arguments as the editor stores them: a list as JSON, and null for an emptied field.
          value: Object.fromEntries(fields.map(({ id }) => [id, fieldValue(toolArguments[id])])),
          schema: fields.map((one) => ({ ...one, removed: !(one.id in toolArguments) })),
          matchingColumns: [],
        },
      };

const fieldValue = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : (value ?? null));

/** n8n's "MCP Client" that calls one tool. */
export function mcpClient(endpointUrl: string, call: McpCall): NodeSketch {
  const connected = connection(endpointUrl, call.key ?? 'header');
  return {
    name: 'MCP Client',
    type: `${PACKAGE}.mcpClient`,
    typeVersion: CLIENT_VERSION,
    ...connected,
    parameters: {
      ...connected.parameters,
      tool: { __rl: true, mode: 'list', value: call.tool },
      options: {},
      ...inputOf(call),
    },
  };
}

/** n8n's "MCP Client Tool" for an agent, with the named tools of the server, or with all if none is named. */
export function mcpClientTool(
  endpointUrl: string,
  { key = 'header', tools = [] }: { readonly key?: KeyOf; readonly tools?: readonly string[] } = {},
): NodeSketch {
  const connected = connection(endpointUrl, key);
  const include = tools.length === 0 ? { include: 'all' } : { include: 'selected', includeTools: tools };
  return {
    name: 'Signpost',
    type: `${PACKAGE}.mcpClientTool`,
    typeVersion: CLIENT_TOOL_VERSION,
    ...connected,
    parameters: { ...connected.parameters, ...include, options: {} },
  };
}

const toolList = z.object({
  data: z.object({ results: z.array(z.object({ value: z.string() })) }),
});

const field = z.looseObject({ id: z.string(), required: z.boolean(), type: z.string() });
const fieldList = z.object({ data: z.object({ fields: z.array(field) }) });
type ToolField = z.infer<typeof field>;

async function ask(n8n: N8n, list: string, methodName: string, sketch: NodeSketch): Promise<unknown> {
  const credentials = Object.entries(sketch.credentials ?? {}).map(
    ([type, { name }]) => [type, { id: n8n.credentialId(name), name }] as const,
  );
  const { status, body } = await n8n.rest('POST', `/dynamic-node-parameters/${list}`, {
    path: 'parameters.tool',
    methodName,
    nodeTypeAndVersion: { name: sketch.type, version: sketch.typeVersion },
    currentNodeParameters: sketch.parameters,
    credentials: Object.fromEntries(credentials),
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The tools that the editor offers for the parameter "Tool" of an "MCP Client". */
export const offeredTools = async (n8n: N8n, sketch: NodeSketch) =>
  toolList.parse(await ask(n8n, 'resource-locator-results', 'getTools', sketch)).data.results;

/** The fields that the editor shows for the arguments of the tool of an "MCP Client". */
export const toolFields = async (n8n: N8n, sketch: NodeSketch) =>
  fieldList.parse(await ask(n8n, 'resource-mapper-fields', 'getToolParameters', sketch)).data.fields;
