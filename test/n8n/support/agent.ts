import type { Credential } from './n8n.js';
import type { NodeSketch, Workflow } from './workflow.js';

const MODEL_CREDENTIAL = 'language-model';

/** The credential for a language model that answers at this address. */
export const modelCredential = (url: string): Credential => ({
  name: MODEL_CREDENTIAL,
  type: 'openAiApi',
  data: { apiKey: 'none', url },
});

const link = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });

/** In versions up to 2, the agent calls its tools itself. From version 3 on, n8n runs the nodes of the tools. */
export type AgentVersion = 2 | 3.1;

/** A workflow whose AI agent has one tool, and which returns the agent's final answer. */
export function agentWorkflow(title: string, tool: NodeSketch, agentVersion: AgentVersion = 2): Workflow {
  const sketches: readonly NodeSketch[] = [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
    {
      name: 'Agent',
      type: '@n8n/n8n-nodes-langchain.agent',
      typeVersion: agentVersion,
      parameters: {
        promptType: 'define',
        text: 'Use your tool.',
        options: { returnIntermediateSteps: true },
      },
    },
    {
      name: 'Model',
      type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
      typeVersion: 1.2,
      parameters: { model: { __rl: true, mode: 'id', value: 'test-model' }, options: {} },
      credentials: { openAiApi: { id: MODEL_CREDENTIAL, name: MODEL_CREDENTIAL } },
    },
    tool,
  ];
  return {
    name: title,
    nodes: sketches.map((sketch, index) => ({
      id: String(index),
      typeVersion: 1,
      position: [index * 200, 0],
      ...sketch,
    })),
    connections: {
      Start: link('Agent', 'main'),
      Model: link('Agent', 'ai_languageModel'),
      [tool.name]: link('Agent', 'ai_tool'),
    },
    settings: { executionOrder: 'v1' },
    pinData: {},
    active: false,
  };
}
