import { readFileSync } from 'node:fs';
import { runInRoot } from './chroot.mjs';

const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/gu;
const TO_JSON = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.argv[1])))';

/** Reads the lines of an .env file. */
export const readEnvironment = (text) =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name, value]) => [name, value]));

/**
 * Reads a compose file with its variables put in, as Compose does. Throws at a variable that has neither a value nor
 * a default. YAML is read by Python's library, in the root that has it.
 */
export async function readCompose(file, variables, toolsRoot) {
  const text = readFileSync(file, 'utf8').replace(VARIABLE, (_, name, kind, rest) => {
    const value = variables[name] || (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${file} wants ${name}, which nothing sets.`);
    return value;
  });
  return JSON.parse(await runInRoot(toolsRoot, ['python3', '-c', TO_JSON, text]));
}
