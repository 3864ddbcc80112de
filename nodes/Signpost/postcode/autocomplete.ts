import { contractOperation } from '../../shared/contract-operations';
import type { Operation, OperationCall } from '../../shared/operation';
import { requestBody, sendJson } from '../../shared/json-request';
import { resultItem, splitParameter, wantsOneItemPerResult } from '../../shared/results';

const offered = contractOperation('autocompletePostcode');

async function run(call: OperationCall) {
  const { postcodes } = await sendJson(call, {
    method: 'POST',
    path: offered.path,
    body: requestBody(call, offered.fields),
  });
  const found = Array.isArray(postcodes) ? postcodes.map(String) : [];
  if (!wantsOneItemPerResult(call)) return [resultItem(call, { postcodes: found })];
  return found.map((postcode) => resultItem(call, { postcode }));
}

export const autocompletePostcode: Operation = {
  ...offered,
  ownParameters: [splitParameter('postcode')],
  run,
};
