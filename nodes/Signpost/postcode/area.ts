import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { RequestField } from '../../shared/contract-fields';
import { contractOperation } from '../../shared/contract-operations';
import { requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { numberOf } from '../../shared/values';
import { BEFORE_BESIDE, SINCE_BESIDE } from '../../shared/versions';
import { fieldsOfChoice, bindToChoice } from './choices';
import { splitParameter, wantsOneItemPerResult } from './output-parameters';
import { maxLimitOf, wantsAll, withoutHiddenLimit, withReturnAll } from './return-all';

const findByParameter: INodeProperties = {
  displayName: 'Find By',
  name: 'findBy',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Code', value: 'code', description: 'The GSS code of the area' },
    { name: 'Name', value: 'name', description: 'The kind and the name of the area' },
  ],
  default: 'name',
  description: 'How to name the area',
};
const FIND_BY = { code: 'code', kind: 'name', name: 'name' };

const offered = contractOperation('listAreaPostcodes');

const shownIn = (
  versions: typeof SINCE_BESIDE | typeof BEFORE_BESIDE,
  { displayOptions }: INodeProperties,
) => ({
  displayOptions: { show: { ...displayOptions?.show, ...versions } },
});

/**
 * Shows the parameter for the kind, with its original default `country`, only in older nodes: n8n does not store a
 * choice that the user did not change, so another default would change saved workflows.
 */
const withOldDefault = (requestField: RequestField): RequestField => {
  const { field, parameter } = requestField;
  return field === 'kind'
    ? { ...requestField, parameter: { ...parameter, ...shownIn(BEFORE_BESIDE, parameter) } }
    : requestField;
};

const chosenFields = bindToChoice(offered.fields, 'findBy', FIND_BY);
const kindParameterSince = chosenFields
  .filter(({ field }) => field === 'kind')
  .map(({ parameter }) => ({ ...parameter, default: 'localAuthority', ...shownIn(SINCE_BESIDE, parameter) }));
const fields = withReturnAll(chosenFields).map(withOldDefault);

/** The maximum number of results of one request. */
const MAX_LIMIT = maxLimitOf(fields);

const postcodesOf = ({ postcodes }: IDataObject): string[] =>
  Array.isArray(postcodes) ? postcodes.map(String) : [];

/**
 * Requests all results from `body.offset` on, in several requests if necessary. Returns the last response with all
 * postcodes.
 */
async function allPages(call: OperationCall, body: IDataObject): Promise<IDataObject> {
  const first = numberOf(body.offset) ?? 0;
  const found: string[] = [];
  for (;;) {
    const page = { ...body, limit: MAX_LIMIT, offset: first + found.length };
    const answer = await sendJson(call, offered, { body: page });
    const postcodes = postcodesOf(answer);
    found.push(...postcodes);
    if (postcodes.length === 0 || first + found.length >= (numberOf(answer.total) ?? 0))
      return { ...answer, postcodes: found };
  }
}

async function listPostcodes(call: OperationCall) {
  const isAll = wantsAll(call);
  const requestFields = fieldsOfChoice(call, fields, findByParameter, FIND_BY);
  const body = requestBody(call, withoutHiddenLimit(requestFields, isAll));
  const answer = isAll ? await allPages(call, body) : await sendJson(call, offered, { body });
  if (!wantsOneItemPerResult(call)) return [resultItem(call, answer)];
  return postcodesOf(answer).map((postcode) => resultItem(call, { postcode }));
}

export const listAreaPostcodes: Operation = {
  ...offered,
  fields,
  leadingParameters: [findByParameter, ...kindParameterSince],
  ownParameters: [splitParameter],
  run: listPostcodes,
};
