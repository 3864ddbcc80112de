import type { INodeProperties } from 'n8n-workflow';
import { BEFORE_BESIDE, SINCE_BESIDE } from './versions';

const MODEL_TYPES: Readonly<Partial<Record<INodeProperties['type'], string>>> = {
  number: 'number',
  string: 'string',
};

/**
 * The expression with which n8n's editor marks a parameter that the model fills in, including the description for
 * the model.
 */
const writtenByModel = ({ displayName, description = '' }: INodeProperties, type: string): string =>
  `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${displayName.replace(/\W+/gu, '_')}', \`${description.replaceAll('`', "'")}\`, '${type}') }}`;

/**
 * If a newer node is an agent's tool, the model fills in each required text or number unless the user enters a value.
 * Returns three variants of such a parameter: for older nodes, newer nodes and newer tools. Returns only the parameter
 * itself if it is of another kind, a list, or already depends on the version or on being a tool.
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
