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
 * Returns three variants of a required text or number: one for older versions of the node (BEFORE_BESIDE), one for
 * newer ones (SINCE_BESIDE), and one for newer ones as an agent's tool, in which the model fills it in unless the user
 * enters a value. Returns any other parameter unchanged, and also a list or one that already depends on the version or
 * on being a tool.
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
