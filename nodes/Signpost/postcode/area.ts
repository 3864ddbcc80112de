import { contractOperation } from '../../shared/contract-operations';
import { requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { splitParameter, wantsOneItemPerResult } from './output-parameters';

const offered = contractOperation('listAreaPostcodes');

async function listPostcodes(call: OperationCall) {
  const body = requestBody(call, offered.fields);
  const answer = await sendJson(call, { method: 'POST', path: offered.path, body });
  if (!wantsOneItemPerResult(call)) return [resultItem(call, answer)];
  const postcodes = Array.isArray(answer.postcodes) ? answer.postcodes.map(String) : [];
  return postcodes.map((postcode) => resultItem(call, { postcode }));
}

export const listAreaPostcodes: Operation = {
  ...offered,
  ownParameters: [splitParameter],
  run: listPostcodes,
};
