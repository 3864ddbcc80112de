import type { INodeProperties } from 'n8n-workflow';
import type { RequestField } from '../../shared/contract-fields';
import type { OperationCall } from '../../shared/operation';

/**
 * For each field that applies to only one value of a choice, that value, such as `point` of the choice `startFrom` for
 * the field `latitude`. Fields that are left out apply to every value.
 */
type ChoiceValues = Readonly<Record<string, string>>;

/** Makes each field that belongs to one value of the choice required for that value, and hides it for other values. */
export const bindToChoice = (
  fields: readonly RequestField[],
  choice: string,
  choiceValues: ChoiceValues,
): RequestField[] =>
  fields.map((requestField) => {
    const value = choiceValues[requestField.field];
    if (value === undefined) return requestField;
    const displayOptions = { show: { [choice]: [value] } };
    return { ...requestField, parameter: { ...requestField.parameter, required: true, displayOptions } };
  });

/** The fields that apply to the value that was chosen for the item, and those that apply to every value. */
export function fieldsOfChoice(
  { context, itemIndex }: OperationCall,
  fields: readonly RequestField[],
  choice: INodeProperties,
  choiceValues: ChoiceValues,
): RequestField[] {
  const chosen: unknown = context.getNodeParameter(choice.name, itemIndex, choice.default);
  return fields.filter(({ field }) => [undefined, chosen].includes(choiceValues[field]));
}
