import type { INodeProperties } from 'n8n-workflow';
import { BEFORE_BESIDE, SINCE_BESIDE } from './versions';

const MODEL_TYPES: Readonly<Partial<Record<INodeProperties['type'], string>>> = {
  number: 'number',
  string: 'string',
};

/** The editor's own form of a parameter that the model fills in, with the description that the model gets. */
const writtenByModel = ({ displayName, description = '' }: INodeProperties, type: string): string =>
  `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${displayName.replace(/\W+/gu, '_')}', \`${description.replaceAll('`', "'")}\`, '${type}') }}`;

/**
 * As a tool of an agent, a newer node has the model fill in each required parameter, unless the user enters a value.
 * Returns the variants of the parameter for nodes and tools.
 */
export function withModel(parameter: INodeProperties): INodeProperties[] {
  const { show = {}, hide = {} } = parameter.displayOptions ?? {};
  const type = MODEL_TYPES[parameter.type];
  const isList = parameter.typeOptions?.multipleValues === true;
  const isDivided = '@version' in show || '@tool' in show || '@tool' in hide;
  if (parameter.required !== true || type === undefined || isList || isDivided) return [parameter];
  return [
    { ...parameter, displayOptions: { hide, show: { ...show, ...BEFORE_BESIDE } } },
    {
      ...parameter,
      displayOptions: { hide: { ...hide, '@tool': [true] }, show: { ...show, ...SINCE_BESIDE } },
    },
    {
      ...parameter,
      default: writtenByModel(parameter, type),
      displayOptions: { hide, show: { ...show, ...SINCE_BESIDE, '@tool': [true] } },
    },
  ];
}
