import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { contractOperation, maxItemsOf } from '../../shared/contract-operations';
import { emptyParameter, objectsOf, requestBody, sendJson } from '../../shared/json-request';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { isObject, numberOf, parseJson, textOf } from '../../shared/values';
import { putsResultBesideInput, SINCE_BESIDE } from '../../shared/versions';

const offered = contractOperation('measureDistance');
const MAX_DESTINATIONS = maxItemsOf('measureDistance', 'to');

const outputParameter: INodeProperties = {
  displayName: 'Output',
  name: 'distanceOutput',
  type: 'options',
  options: [
    { name: 'All in One Item', value: 'list', description: 'The distances in one list, in order' },
    { name: 'One Item per Destination', value: 'items', description: 'Each with its destination' },
    { name: 'Only the Nearest', value: 'nearest', description: 'The distance of the nearest destination' },
  ],
  default: 'items',
  description: 'How to return the distances',
  displayOptions: { show: SINCE_BESIDE },
};

/** A place in the request, together with its name: the name or the value that the user entered for it. */
interface Destination {
  /** Undefined for an object with an empty postcode and no coordinates. */
  readonly place: unknown;
  readonly name: unknown;
}

const POINT = /^([+-]?\d{1,3}\.\d+)\s*[,;\s]\s*([+-]?\d{1,3}\.\d+)$/u;

/** Parses a point or a JSON object; any other text is returned unchanged. */
function placeOf(text: string): unknown {
  const [, latitude, longitude] = POINT.exec(text) ?? [];
  if (latitude !== undefined) return { latitude: Number(latitude), longitude: Number(longitude) };
  const json = parseJson(text);
  return isObject(json) ? json : text;
}

/**
 * The destination that an object describes by a postcode or a point, and perhaps a name. The case of its field names is
 * ignored.
 */
function destinationOf(entry: IDataObject): Destination {
  const fields = new Map(
    Object.entries(entry)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
  const hasPostcodeField = Object.keys(entry).some((name) => name.toLowerCase() === 'postcode');
  const postcode = textOf(fields.get('postcode'));
  const name = textOf(fields.get('name')) ?? postcode ?? entry;
  if (postcode !== undefined) return { place: postcode, name };
  const [latitude, longitude] = [fields.get('latitude'), fields.get('longitude')];
  if (hasPostcodeField && latitude === undefined && longitude === undefined)
    return { place: undefined, name };
  return {
    place: { latitude: numberOf(latitude) ?? latitude, longitude: numberOf(longitude) ?? longitude },
    name,
  };
}

/** The destinations in an entered value. A text may be a whole list, either with separators or as JSON. */
function destinationsIn(entry: unknown): Destination[] {
  if (Array.isArray(entry)) return entry.flatMap(destinationsIn);
  if (isObject(entry)) return [destinationOf(entry)];
  if (typeof entry !== 'string')
    return entry === undefined || entry === null ? [] : [{ place: entry, name: entry }];
  const text = entry.trim();
  const place = placeOf(text);
  if (typeof place !== 'string') return [{ place, name: text }];
  const json = parseJson(text);
  if (Array.isArray(json)) return json.flatMap(destinationsIn);
  return text
    .split(/[,;\n]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ place: part, name: part }));
}

const isPlace = (value: unknown): value is IDataObject[string] => value !== undefined;

/** A destination with its distance, or with the reason why the distance is unknown. */
const shownDistance = (distance: unknown, { name }: Destination, reason: unknown): IDataObject => {
  const destination = isPlace(name) ? name : null;
  return isObject(distance)
    ? { destination, ...distance, found: true }
    : { destination, metres: null, bearingDegrees: null, found: false, reason: textOf(reason) ?? 'unknown' };
};

const resultsOf = ({ results }: IDataObject): (IDataObject | null)[] => {
  const list: unknown[] = Array.isArray(results) ? results : [];
  return list.map((result) => (isObject(result) ? result : null));
};

/** The server's results for any number of destinations, from as many requests as necessary. */
async function measure(
  call: OperationCall,
  from: unknown,
  destinations: readonly Destination[],
): Promise<IDataObject> {
  const to = destinations.slice(0, MAX_DESTINATIONS).map(({ place }) => place);
  const answer = await sendJson(call, offered, { body: { from, to } });
  if (destinations.length <= MAX_DESTINATIONS) return answer;
  const rest = await measure(call, from, destinations.slice(MAX_DESTINATIONS));
  const missing = objectsOf(rest.missing).map((entry) => ({
    ...entry,
    index: MAX_DESTINATIONS + (numberOf(entry.index) ?? 0),
  }));
  return {
    ...answer,
    results: [...resultsOf(answer), ...resultsOf(rest)],
    missing: [...objectsOf(answer.missing), ...missing],
  };
}

const metresOf = (distance: IDataObject) => numberOf(distance.metres) ?? Infinity;

const hasPlace = ({ place }: Destination) => place !== undefined;

const isNowhere = ({ place }: Destination) =>
  isObject(place) && place.latitude === undefined && place.longitude === undefined;

/**
 * Throws if there are no destinations, or if one says nothing about where it is, for example because its field for the
 * postcode has another name. In newer nodes, the postcode of a destination may be blank.
 */
function checkDestinations(call: OperationCall, destinations: readonly Destination[]): void {
  if (destinations.length === 0) throw emptyParameter(call, 'Destinations');
  const mayBeBlank = putsResultBesideInput(call.context.getNode());
  const index = destinations.findIndex(
    (destination) => isNowhere(destination) || (!mayBeBlank && !hasPlace(destination)),
  );
  if (index === -1) return;
  throw new NodeOperationError(
    call.context.getNode(),
    `Destination ${index + 1} has neither a postcode nor latitude and longitude`,
    {
      itemIndex: call.itemIndex,
      description: `It is ${JSON.stringify(destinations[index]?.name)}. Give each of the Destinations as a postcode, as a point such as 51.5, -0.14, or as an object with "postcode", or with "latitude" and "longitude".`,
    },
  );
}

/**
 * The place to measure from, which may be written in every way in which a single destination may be. Throws if it is an
 * object with an empty postcode and no coordinates.
 */
function startOf(call: OperationCall, entered: unknown): unknown {
  const start = typeof entered === 'string' ? placeOf(entered) : entered;
  if (!isObject(start)) return start;
  const { place } = destinationOf(start);
  if (place === undefined) throw emptyParameter(call, 'From');
  return place;
}

async function distancesOf(call: OperationCall) {
  const { context, itemIndex } = call;
  const body = requestBody(call, offered.fields);
  const destinations = destinationsIn(body.to);
  checkDestinations(call, destinations);
  const from = startOf(call, body.from);
  const measuredDestinations = destinations.filter(hasPlace);
  const answer: IDataObject =
    measuredDestinations.length === 0 ? {} : await measure(call, from, measuredDestinations);
  const output = putsResultBesideInput(context.getNode())
    ? context.getNodeParameter('distanceOutput', itemIndex, 'items')
    : 'asAnswered';
  if (output === 'asAnswered') return [resultItem(call, answer)];
  const results = resultsOf(answer);
  const reasons = new Map(objectsOf(answer.missing).map(({ index, reason }) => [index, reason]));
  const distances = destinations.map((destination) => {
    const index = measuredDestinations.indexOf(destination);
    return shownDistance(results[index], destination, index === -1 ? 'blank' : reasons.get(index));
  });
  if (output === 'list') return [resultItem(call, { results: distances })];
  if (output === 'items') return distances.map((distance) => resultItem(call, distance));
  const nearest = distances.reduce((one, other) => (metresOf(other) < metresOf(one) ? other : one));
  return [resultItem(call, nearest)];
}

export const measureDistance: Operation = {
  ...offered,
  ownParameters: [outputParameter],
  run: distancesOf,
};
