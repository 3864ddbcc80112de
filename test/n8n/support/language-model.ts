import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const chatRequest = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), parameters: z.unknown() }) }))
    .optional(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

/** A fake language model with the interface of OpenAI's chat completions. */
export interface LanguageModel {
  readonly url: string;
  /** Every request so far. */
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

const MODEL = 'test-model';

const answer = (message: object, reason: string) => ({
  id: 'chatcmpl-test',
  object: 'chat.completion',
  created: 0,
  model: MODEL,
  choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', ...message } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/**
 * Starts a fake language model. It calls the first tool that it is offered, with these arguments or with those for
 * that tool's name, and then repeats the tool's result.
 */
export async function startLanguageModel(
  toolArguments: object | ((tool: string) => object),
): Promise<LanguageModel> {
  const requests: ChatRequest[] = [];
  const reply = async (request: IncomingMessage) => {
    const chat = chatRequest.parse(JSON.parse(await text(request)));
    requests.push(chat);
    const last = chat.messages.at(-1);
    if (last?.role === 'tool') return answer({ content: String(last.content) }, 'stop');
    const name = chat.tools?.[0]?.function.name ?? '';
    const given = typeof toolArguments === 'function' ? toolArguments(name) : toolArguments;
    const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(given) } };
    return answer({ content: null, tool_calls: [call] }, 'tool_calls');
  };
  const server = createServer((request, response) => {
    reply(request).then(
      (body) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
