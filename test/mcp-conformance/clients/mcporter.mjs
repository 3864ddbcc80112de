const NAME = 'signpost';

function definitionOf(target) {
  if (target.url !== undefined)
    return { name: NAME, command: { kind: 'http', url: new URL(target.url), headers: target.headers } };
  const { command, args, env } = target;
  return { name: NAME, command: { kind: 'stdio', command, args, cwd: process.cwd() }, env };
}

/** Connects the library of mcporter, on which its command line is built. */
export async function connect(load, target) {
  const { createRuntime } = await load('mcporter');
  const quiet = { info() {}, warn() {}, error() {}, debug() {} };
  const runtime = await createRuntime({ servers: [definitionOf(target)], logger: quiet });
  const headless = { disableOAuth: true };
  return {
    listTools: async () => (await runtime.listTools(NAME, headless)).map(({ name }) => name),
    call: (name, args) => runtime.callTool(NAME, name, { args, ...headless }),
    close: () => runtime.close(),
  };
}
