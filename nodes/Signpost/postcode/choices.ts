import type { INodeProperties } from 'n8n-workflow';
import type { RequestField } from '../../shared/contract-fields';
import type { OperationCall } from '../../shared/operation';

/** Fields that belong to one value of a choice: the name of the choice's field, and that value. */
type OfChoice = Readonly<Record<string, string>>;

/** Makes such a field required for its value of the choice, and hides it for other values. */
export const withChoice = (
  fields: readonly RequestField[],
  choice: string,
  ofChoice: OfChoice,
): RequestField[] =>
  fields.map((requestField) => {
    const value = ofChoice[requestField.field];
    if (value === undefined) return requestField;
    const displayOptions = { show: { [choice]: [value] } };
    return { ...requestField, parameter: { ...requestField.parameter, required: true, displayOptions } };
  });

/** Only the fields that apply to the option that the item's parameter chooses, and those for every option. */
export function fieldsOfChoice(
  { context, itemIndex }: OperationCall,
  fields: readonly RequestField[],
  choice: INodeProperties,
  ofChoice: OfChoice,
): RequestField[] {
  const chosen: unknown = context.getNodeParameter(choice.name, itemIndex, choice.default);
  return fields.filter(({ field }) => [undefined, chosen].includes(ofChoice[field]));
}
