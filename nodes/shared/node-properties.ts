import {
  type INodeProperties,
  type NodeConnectionType,
  NodeConnectionTypes,
  updateDisplayOptions,
} from 'n8n-workflow';
import { withModel } from './model-parameters';
import type { Operation, Resource } from './operation';
import { optionLists } from './option-groups';
import { commonOptions } from './pacing';
import { BEFORE_BESIDE, SINCE_BESIDE } from './versions';

/**
 * The lists of options of an operation: one list, or several in newer versions of the node if there are many
 * options.
 */
function optionsOf(operation: Operation): INodeProperties[] {
  const { ownOptions = [], concurrency } = operation;
  const others = [...ownOptions, ...commonOptions(concurrency)];
  return optionLists(operation, others, { before: BEFORE_BESIDE, since: SINCE_BESIDE });
}

const parametersOf = (operation: Operation): INodeProperties[] => [
  ...(operation.leadingParameters ?? []),
  ...operation.fields
    .filter(({ isOption }) => isOption !== true)
    .flatMap(({ before, parameter }) => [
      ...(before === undefined ? [] : withModel(before)),
      ...withModel(parameter),
    ]),
  ...(operation.ownParameters ?? []),
  ...optionsOf(operation),
];

/** Gives a list of choices the default `first`. */
const startingWith = (
  choice: INodeProperties,
  first: { readonly value: string } | undefined,
): INodeProperties => ({
  ...choice,
  default: first?.value ?? '',
});

const operationChoice = ({ value, operations }: Resource): INodeProperties =>
  startingWith(
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [value] } },
      options: operations.map((operation) => ({
        name: operation.name,
        value: operation.value,
        action: operation.action,
        description: operation.description,
      })),
      default: '',
    },
    operations[0],
  );

const resourceChoice = (resources: readonly Resource[]): INodeProperties =>
  startingWith(
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map(({ name, value }) => ({ name, value })),
      default: '',
    },
    resources[0],
  );

/** All parameters of the editor: the choice of resource and operation, then those of each operation. */
export const nodeProperties = (resources: readonly Resource[]): INodeProperties[] => [
  resourceChoice(resources),
  ...resources.map(operationChoice),
  ...resources.flatMap((resource) =>
    resource.operations.flatMap((operation) =>
      updateDisplayOptions(
        { show: { resource: [resource.value], operation: [operation.value] } },
        parametersOf(operation),
      ),
    ),
  ),
];

/** One main connection: the inputs or the outputs of a node. */
export const MAIN: NodeConnectionType[] = [NodeConnectionTypes.Main];
