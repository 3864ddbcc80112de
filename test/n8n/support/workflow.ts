const PACKAGE = 'n8n-nodes-signpost';
const COLUMN_PIXELS = 220;
const ROW_PIXELS = 180;
/** How many nodes are side by side. With more, the editor would show all of them too small. */
const COLUMNS = 6;

type Json = Readonly<Record<string, unknown>>;

export interface NodeSketch {
  readonly name: string;
  readonly type: string;
  readonly typeVersion?: number;
  readonly parameters: Json;
  readonly credentials?: Readonly<Record<string, { id: string; name: string }>>;
  readonly onError?: 'continueRegularOutput' | 'continueErrorOutput' | 'stopWorkflow';
}

export interface Workflow {
  readonly name: string;
  readonly nodes: readonly Json[];
  readonly connections: Json;
  readonly settings: Json;
  readonly pinData: Json;
  readonly active: boolean;
}

const START = 'Start';

/** A Signpost node with the credential of this name. */
export const signpost = (
  name: string,
  parameters: Json,
  credential = 'signpost',
  more: Partial<NodeSketch> = {},
): NodeSketch => ({
  name,
  type: `${PACKAGE}.signpost`,
  parameters,
  credentials: { signpostApi: { id: credential, name: credential } },
  ...more,
});

/** A Signpost Referral node with the credential of this name. */
export const referral = (
  name: string,
  parameters: Json,
  credential = 'referral',
  more: Partial<NodeSketch> = {},
): NodeSketch => ({
  name,
  type: `${PACKAGE}.signpostReferral`,
  parameters,
  credentials: { signpostReferralApi: { id: credential, name: credential } },
  ...more,
});

/** A Signpost Trigger node with the credential "signpost". */
export const trigger = (name: string, parameters: Json): NodeSketch => ({
  name,
  type: `${PACKAGE}.signpostTrigger`,
  parameters,
  credentials: { signpostApi: { id: 'signpost', name: 'signpost' } },
});

/** A workflow of this trigger and a node that does nothing with the trigger's items. */
export function triggeredWorkflow(title: string, first: NodeSketch): Workflow {
  const last: NodeSketch = { name: 'End', type: 'n8n-nodes-base.noOp', parameters: {} };
  return {
    name: title,
    nodes: [first, last].map((node, index) => ({
      id: node.name,
      typeVersion: 1,
      position: [index * COLUMN_PIXELS, 0],
      ...node,
    })),
    connections: { [first.name]: { main: [[{ node: last.name, type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
    pinData: {},
    active: false,
  };
}

/**
 * A workflow that passes these items through each chain of nodes. Every node must have a different name.
 */
export function workflow(
  title: string,
  items: readonly Json[],
  ...chains: readonly (readonly NodeSketch[])[]
): Workflow {
  const start: NodeSketch = { name: START, type: 'n8n-nodes-base.manualTrigger', parameters: {} };
  const placed = [start, ...chains.flat()].map((node, index) => ({
    id: String(index),
    typeVersion: 1,
    position: [(index % COLUMNS) * COLUMN_PIXELS, Math.floor(index / COLUMNS) * ROW_PIXELS],
    ...node,
  }));
  const link = (name: string) => ({ node: name, type: 'main', index: 0 });
  const firsts = chains.flatMap(([first]) => (first === undefined ? [] : [link(first.name)]));
  const following = chains.flatMap((chain) =>
    chain
      .slice(1)
      .map((node, index) => [chain[index]?.name ?? START, { main: [[link(node.name)]] }] as const),
  );
  return {
    name: title,
    nodes: placed,
    connections: Object.fromEntries([[START, { main: [firsts] }], ...following]),
    settings: { executionOrder: 'v1' },
    pinData: { [START]: items.map((json) => ({ json })) },
    active: false,
  };
}
