import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { RequestField } from './contract-fields';
import type { Operation } from './operation';

/**
 * In newer nodes, an operation with more options than this has several lists of options. Batching and Maximum Wait are
 * not counted.
 */
const MAX_IN_ONE_LIST = 12;
/** Groups of the contract that are not lists of their own, but remain among the usual options. */
const USUAL = ['Answer and cache', 'HTML in place of an address'];
const SMALL_WORDS = ['a', 'and', 'in', 'of', 'or', 'the', 'to'];

/** A group of options, which is a parameter of its own. */
interface OptionGroup {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly RequestField[];
}

const titleOf = (group: string): string =>
  group
    .split(' ')
    .map((word, index) =>
      index > 0 && SMALL_WORDS.includes(word) ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    )
    .join(' ');

/** The name of a group's parameter: "paperAndMarginsOptions" for "Paper and margins". */
const nameOf = (group: string): string =>
  `${group.replace(/[^A-Za-z ]/gu, '').toLowerCase()} options`.replace(/ +([a-z])/gu, (_, letter: string) =>
    letter.toUpperCase(),
  );

/** The parts of an operation or trigger that matter for its options. */
type OptionSource = Pick<Operation, 'fields' | 'groups' | 'ownOptions'>;

/** The groups of an operation with many options; none if one list is enough. */
export function optionGroups({ fields, groups = {}, ownOptions = [] }: OptionSource): OptionGroup[] {
  const options = fields.filter(({ isOption }) => isOption === true);
  if (options.length + ownOptions.length <= MAX_IN_ONE_LIST) return [];
  return Object.entries(groups)
    .filter(([group]) => !USUAL.includes(group))
    .map(([group, names]) => ({
      name: nameOf(group),
      title: titleOf(group),
      fields: options.filter(({ field }) => names.includes(field)),
    }))
    .filter((group) => group.fields.length > 0);
}

/** The name of the parameter that contains the option for a field in newer nodes. */
export const listOfOption = (operation: OptionSource, field: string): string =>
  optionGroups(operation).find(({ fields }) => fields.some((option) => option.field === field))?.name ??
  'options';

const byName = (one: INodeProperties, other: INodeProperties) =>
  one.displayName < other.displayName ? -1 : 1;

/** A parameter that is a list of options to choose from. */
const optionList = (
  name: string,
  displayName: string,
  options: readonly INodeProperties[],
): INodeProperties => ({
  displayName,
  name,
  type: 'collection',
  placeholder: 'Add Option',
  default: {},
  options: [...options].sort(byName),
});

/**
 * The versions of a node in which all options are in one list, and those in which many options are in several lists.
 */
interface VersionConditions {
  readonly before: NonNullable<IDisplayOptions['show']>;
  readonly since: NonNullable<IDisplayOptions['show']>;
}

/**
 * Returns the parameters that contain the options of an operation or trigger: one list, or, if there are many options,
 * several lists that newer versions of the node show in its place. `others` are options that only the node uses; they
 * are not fields of the request.
 */
export function optionLists(
  operation: OptionSource,
  others: readonly INodeProperties[],
  { before, since }: VersionConditions,
): INodeProperties[] {
  const options = operation.fields.filter(({ isOption }) => isOption === true);
  const all = optionList('options', 'Options', [...options.map(({ parameter }) => parameter), ...others]);
  const groups = optionGroups(operation);
  if (groups.length === 0) return [all];
  const usual = options.filter((option) => !groups.some(({ fields }) => fields.includes(option)));
  const shownSince = { displayOptions: { show: since } };
  return [
    { ...all, displayOptions: { show: before } },
    {
      ...optionList('options', 'Options', [...usual.map(({ parameter }) => parameter), ...others]),
      ...shownSince,
    },
    ...groups.map(({ name, title, fields }) => ({
      ...optionList(
        name,
        title,
        fields.map(({ parameter }) => parameter),
      ),
      description: 'Less common options, which work like those under Options',
      ...shownSince,
    })),
  ];
}
