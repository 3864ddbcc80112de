import { MCP_COMMAND_VARIABLES, type McpCommandVariable } from './variables.js';

const QUOTED = /^(["'])(.*)\1$/su;
/** A placeholder that a client or a shell should have replaced: any ${KEY}, or a whole value $KEY or %KEY%. */
const PLACEHOLDER = /\$\{[^}]*\}|^\$\w+$|^%\w+%$/u;
const SHOWN_CHARACTERS = 60;

/** Variables in which a placeholder only means that the user set no value. The program works without one. */
const OPTIONAL: ReadonlySet<McpCommandVariable> = new Set(['SIGNPOST_MCP_OUTPUT_DIR']);

/**
 * Corrects the program's variables in `env`: removes spaces and quotation marks around a value, and unsets a variable
 * that is empty or still has a placeholder. Returns a sentence for each variable with a placeholder, except those in
 * OPTIONAL.
 */
export function cleanEnvironment(env: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  for (const name of MCP_COMMAND_VARIABLES) {
    const value = env[name]?.trim().replace(QUOTED, '$2').trim();
    if (value !== undefined && value !== '' && !PLACEHOLDER.test(value)) {
      env[name] = value;
      continue;
    }
    Reflect.deleteProperty(env, name);
    if (value !== undefined && value !== '' && !OPTIONAL.has(name))
      problems.push(
        `${name} is ${JSON.stringify(value.slice(0, SHOWN_CHARACTERS))}, which the client should have replaced: write the value itself in its settings of this MCP server.`,
      );
  }
  return problems;
}
