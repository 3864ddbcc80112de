import {
  type IDataObject,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from 'n8n-workflow';
import { contractOperation, maxItemsOf } from '../../shared/contract-operations';
import { emptyParameter, requestBody, sendJson } from '../../shared/json-request';
import type { RequestField } from '../../shared/contract-fields';
import type { Operation, OperationCall } from '../../shared/operation';
import { resultItem } from '../../shared/results';
import { isObject, numberOf, textOf } from '../../shared/values';
import { BEFORE_BESIDE, putsResultBesideInput, SINCE_BESIDE } from '../../shared/versions';
import { recordParametersSince, shownRecord } from './output-parameters';

const ONE_PER_ITEM = 'item';

const sourceParameter: INodeProperties = {
  displayName: 'Points From',
  name: 'pointsFrom',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'A List', value: 'list', description: 'Many points in one parameter, for each incoming item' },
    {
      name: 'All Input Items',
      value: ONE_PER_ITEM,
      description: 'One point from each incoming item. Up to 100 items share one request.',
    },
  ],
  default: ONE_PER_ITEM,
  description: 'Where the points are',
  displayOptions: { show: SINCE_BESIDE },
};

const coordinate = (
  name: 'latitude' | 'longitude',
  displayName: string,
  degrees: number,
): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: -degrees, maxValue: degrees, numberPrecision: 7 },
  default: 0,
  required: true,
  placeholder: `e.g. {{ $json.${name} }}`,
  description: `The ${name} of the point of each item in degrees, WGS84`,
  displayOptions: { show: { ...SINCE_BESIDE, pointsFrom: [ONE_PER_ITEM] } },
});

const COORDINATES = [
  {
    parameter: { ...coordinate('latitude', 'Latitude', 90), default: '={{ $json.latitude }}' },
    degrees: 90,
  },
  {
    parameter: { ...coordinate('longitude', 'Longitude', 180), default: '={{ $json.longitude }}' },
    degrees: 180,
  },
] as const;

const offered = contractOperation('reverseGeocode');
const MAX_POINTS = maxItemsOf('reverseGeocode', 'points');

/**
 * The fields of the request. The list of points is always shown in older versions of the node; in newer ones,
 * `listsSince` shows it if a list is chosen.
 */
const listFields = offered.fields.map((requestField): RequestField => {
  if (requestField.field !== 'points') return requestField;
  return {
    ...requestField,
    parameter: { ...requestField.parameter, displayOptions: { show: BEFORE_BESIDE } },
  };
});
const listsSince = offered.fields
  .filter(({ field }) => field === 'points')
  .map(({ parameter }) => ({
    ...parameter,
    displayOptions: { show: { ...SINCE_BESIDE, pointsFrom: ['list'] } },
  }));

interface Point {
  readonly call: OperationCall;
  readonly latitude: number;
  readonly longitude: number;
  /** The other fields of the request, such as the radius. */
  readonly others: IDataObject;
}

function degreesOf(call: OperationCall, { parameter, degrees }: (typeof COORDINATES)[number]): number {
  const { context, itemIndex } = call;
  const entered: unknown = context.getNodeParameter(parameter.name, itemIndex, '');
  if (entered === '' || entered === null || entered === undefined)
    throw emptyParameter(call, parameter.displayName);
  const number = numberOf(entered);
  if (number !== undefined && Math.abs(number) <= degrees) return number;
  throw new NodeOperationError(
    context.getNode(),
    `${parameter.displayName} is not a number from -${degrees} to ${degrees}`,
    {
      itemIndex,
      description: `It is ${JSON.stringify(entered)}. Enter degrees, such as 51.501.`,
    },
  );
}

const readPoint = async (call: OperationCall): Promise<Point> =>
  await Promise.resolve().then(() => ({
    call,
    latitude: degreesOf(call, COORDINATES[0]),
    longitude: degreesOf(call, COORDINATES[1]),
    others: requestBody(
      call,
      listFields.filter(({ field }) => field !== 'points'),
    ),
  }));

/** The output for a point, whether a postcode is in range or not. */
const shownPostcode = (call: OperationCall, record: unknown, note: unknown): IDataObject =>
  isObject(record)
    ? { ...shownRecord(call, record), found: true }
    : { found: false, reason: 'noneInRange', ...(textOf(note) === undefined ? {} : { note: textOf(note) }) };

/**
 * Sends one request for each group of points whose other fields, such as the radius, are the same. Returns the promise
 * of each point's output.
 */
function geocode(points: readonly Point[]): Map<Point, Promise<IDataObject>> {
  const groups = new Map<string, Point[]>();
  for (const point of points) {
    const key = JSON.stringify(point.others);
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  const outputs = new Map<Point, Promise<IDataObject>>();
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const requestedPoints = group.map(({ latitude, longitude }) => ({ latitude, longitude }));
    const answer = sendJson(first.call, offered, { body: { ...first.others, points: requestedPoints } });
    for (const [index, point] of group.entries())
      outputs.set(
        point,
        answer.then(({ results, note }) =>
          shownPostcode(point.call, Array.isArray(results) ? results[index] : undefined, note),
        ),
      );
  }
  return outputs;
}

function geocodeItems(calls: readonly OperationCall[]): Promise<INodeExecutionData[]>[] {
  const readings = calls.map(readPoint);
  const outputs = Promise.allSettled(readings).then((settled) =>
    geocode(settled.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []))),
  );
  return readings.map(async (reading) => {
    const point = await reading;
    return [resultItem(point.call, (await (await outputs).get(point)) ?? {})];
  });
}

async function geocodeList(call: OperationCall) {
  const body = requestBody(call, listFields);
  return [resultItem(call, await sendJson(call, offered, { body }))];
}

export const reverseGeocode: Operation = {
  ...offered,
  fields: listFields,
  leadingParameters: [sourceParameter, ...COORDINATES.map(({ parameter }) => parameter), ...listsSince],
  ownParameters: recordParametersSince.map((parameter) => ({
    ...parameter,
    // Leaves out the sentence about Options > Include, which this operation does not have.
    ...(parameter.name === 'recordOutput' ? { description: 'How much of the record to return' } : {}),
    displayOptions: { show: { ...parameter.displayOptions?.show, pointsFrom: [ONE_PER_ITEM] } },
  })),
  run: geocodeList,
  groupRun: {
    isWanted: (context) =>
      putsResultBesideInput(context.getNode()) &&
      context.getNodeParameter('pointsFrom', 0, ONE_PER_ITEM) === ONE_PER_ITEM,
    size: MAX_POINTS,
    run: geocodeItems,
  },
};
