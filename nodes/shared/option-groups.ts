import type { INodeProperties } from 'n8n-workflow';
import type { RequestField } from './contract-fields';
import type { Operation } from './operation';

/** The most options that the editor offers in one list. */
const MAX_IN_ONE_LIST = 12;
/** Groups of the contract that stay among the usual options. */
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
    .map((word, at) =>
      at > 0 && SMALL_WORDS.includes(word) ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    )
    .join(' ');

/** "Paper and margins" is stored as "paperAndMarginsOptions". */
const nameOf = (group: string): string =>
  `${group.replace(/[^A-Za-z ]/gu, '').toLowerCase()} options`.replace(/ +([a-z])/gu, (_, letter: string) =>
    letter.toUpperCase(),
  );

/** The groups of an operation with many options; none if one list is enough. */
export function optionGroups({ fields, groups = {}, ownOptions = [] }: Operation): OptionGroup[] {
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

const byName = (one: INodeProperties, other: INodeProperties) =>
  one.displayName < other.displayName ? -1 : 1;

/** A list of options to choose from. */
export const optionList = (
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
