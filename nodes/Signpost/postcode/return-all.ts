import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { RequestField } from '../../shared/contract-fields';
import type { OperationCall } from '../../shared/operation';
import { booleanOf } from '../../shared/values';

const returnAllParameter: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
};

/**
 * Shows Return All before the limit, which is then shown only if Return All is off. `show` selects the versions of the
 * node that have Return All; without it, all have it.
 */
export const withReturnAll = (
  fields: readonly RequestField[],
  show?: IDisplayOptions['show'],
): RequestField[] =>
  fields.map((requestField) => {
    if (requestField.field !== 'limit') return requestField;
    const description = 'Max number of results to return';
    const displayOptions =
      show === undefined ? { show: { returnAll: [false] } } : { hide: { returnAll: [true] } };
    const before =
      show === undefined ? returnAllParameter : { ...returnAllParameter, displayOptions: { show } };
    const parameter = { ...requestField.parameter, description, displayOptions };
    return { ...requestField, parameter, before };
  });

export const wantsAll = ({ context, itemIndex }: OperationCall): boolean =>
  booleanOf(context.getNodeParameter('returnAll', itemIndex, false)) ?? false;

/** The fields to send. If all results are wanted, the limit is left out: it is hidden and so has no value. */
export const withoutHiddenLimit = (fields: readonly RequestField[], isAll: boolean): RequestField[] =>
  fields.filter(({ field }) => !isAll || field !== 'limit');

/** The maximum of the field `limit`; undefined if there is no such field, or if it has no maximum. */
export const maxLimitOf = (fields: readonly RequestField[]): number | undefined =>
  fields.find(({ field }) => field === 'limit')?.parameter.typeOptions?.maxValue;
