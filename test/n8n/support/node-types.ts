import { z } from 'zod';
import type { N8n } from './n8n.js';

const shown = z.record(z.string(), z.array(z.unknown()));
const parameter = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  type: z.string(),
  default: z.unknown(),
  options: z.array(z.looseObject({ name: z.string() })).optional(),
  displayOptions: z.object({ show: shown.optional() }).optional(),
});
const nodeType = z.looseObject({ name: z.string(), properties: z.array(parameter) });
const option = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  default: z.unknown(),
  displayOptions: z.object({ show: shown.optional() }).optional(),
});

export type Parameter = z.infer<typeof parameter>;

/** A panel of the editor: the parameters of a node for one of its operations. */
export interface Panel {
  readonly node: string;
  readonly resource: string;
  readonly operation: string;
  /** The lists of options that the newest version of the node shows, by the names of their parameters. */
  readonly lists: ReadonlyMap<string, readonly z.infer<typeof option>[]>;
}

const isFor = (resource: string, operation: string, { displayOptions }: Parameter) =>
  displayOptions?.show?.resource?.includes(resource) === true &&
  displayOptions.show.operation?.includes(operation) === true;

/** Whether the newest version of a node shows the option if all other parameters have their first choice. */
const isInNewest = ({ displayOptions }: Pick<z.infer<typeof option>, 'displayOptions'>) =>
  !JSON.stringify(displayOptions?.show ?? {}).includes('"lt":') &&
  displayOptions?.show?.['/watch']?.includes('picture') !== true;

const valuesOf = ({ options = [] }: Parameter) => options.map(({ value }) => String(value));

/** The panels of a node, from n8n's description of it for the editor. A node without operations has one panel. */
function panelsOf({ name: node, properties }: z.infer<typeof nodeType>): Panel[] {
  const choices = properties.filter(({ name }) => name === 'operation');
  const listsOf = (isWanted: (one: Parameter) => boolean) =>
    new Map(
      properties
        .filter((one) => one.type === 'collection' && isInNewest(one) && isWanted(one))
        .map(({ name, options = [] }) => [name, z.array(option).parse(options).filter(isInNewest)]),
    );
  if (choices.length === 0) return [{ node, resource: '', operation: '', lists: listsOf(() => true) }];
  return choices.flatMap((choice) => {
    const resource = String(choice.displayOptions?.show?.resource?.[0]);
    return valuesOf(choice).map((operation) => ({
      node,
      resource,
      operation,
      lists: listsOf((one) => isFor(resource, operation, one)),
    }));
  });
}

/** Returns all panels of the package's nodes, without those of the nodes' tool versions for agents. */
export async function packagePanels(n8n: N8n): Promise<readonly Panel[]> {
  const response = await fetch(`${n8n.url}/types/nodes.json`, {
    headers: { Cookie: `n8n-auth=${n8n.session}` },
  });
  const all = z.array(z.looseObject({ name: z.string() })).parse(await response.json());
  const own = all.filter(({ name }) => name.startsWith('n8n-nodes-signpost.') && !name.endsWith('Tool'));
  return own.map((one) => nodeType.parse(one)).flatMap(panelsOf);
}
