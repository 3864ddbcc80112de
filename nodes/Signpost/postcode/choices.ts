import type { INodeProperties } from 'n8n-workflow';
import type { OperationCall, RequestField } from '../../shared/operation';

/** The fields that are wanted for one value of a choice alone, with that value. */
type OfChoice = Readonly<Record<string, string>>;

/** A field that is wanted for one value of a choice is required there, and not shown for the others. */
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

/** The fields that an item's value of the choice leaves. */
export function fieldsOfChoice(
  { context, itemIndex }: OperationCall,
  fields: readonly RequestField[],
  choice: INodeProperties,
  ofChoice: OfChoice,
): RequestField[] {
  const chosen: unknown = context.getNodeParameter(choice.name, itemIndex, choice.default);
  return fields.filter(({ field }) => [undefined, chosen].includes(ofChoice[field]));
}
