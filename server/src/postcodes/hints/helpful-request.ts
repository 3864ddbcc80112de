import { type Operation, operations } from '@signpost/contract';

const SHOWN_CHARACTERS = 20;

/** The beginning of a text from a request, in quotation marks. */
export const shownText = (text: string, maxCharacters = SHOWN_CHARACTERS): string =>
  JSON.stringify(text.slice(0, maxCharacters));

/** Fields of a request as JSON, such as {"outcode": "E1"}. */
export const shownFields = (fields: Readonly<Record<string, unknown>>): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(', ')}}`;

/**
 * Names a request, as in `POST /api/postcode/outcode with {"outcode": "E1"}`. Clients that have other names for
 * operations replace the method and path.
 */
const request = ({ method, path }: Operation, fields: Readonly<Record<string, unknown>>) =>
  `${method} ${path} with ${shownFields(fields)}`;

export const autocompleteRequest = (partial: string) => request(operations.autocompletePostcode, { partial });
export const outcodeRequest = (outcode: string) => request(operations.getOutcode, { outcode });
export const areaRequest = (fields: Readonly<Record<string, string>>) =>
  request(operations.listAreaPostcodes, fields);
export const nearestRequest = (latitude: number, longitude: number) =>
  request(operations.findNearestPostcodes, { latitude, longitude });

const withoutFields = ({ method, path }: Operation) => `${method} ${path}`;
export const FIND = withoutFields(operations.findPostcodesInText);
export const LOOKUP = withoutFields(operations.lookupPostcode);
