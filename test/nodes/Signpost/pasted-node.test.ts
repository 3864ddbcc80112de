import { operations, type Operation } from '../../../contract/src/index';
import { n8nCode } from '../../../server/src/console/code/workflow-code';
import { resources } from '../../../nodes/Signpost/resources';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { isObject } from '../../../nodes/shared/values';
import { fakeExecution, success } from '../fixtures/fake-execution';

/** Returns the node that the console shows for a request, to be pasted into n8n, and the node's parameters. */
function pastedNode(id: string, operation: Operation, body: Readonly<Record<string, unknown>>) {
  const request = operation.request === undefined ? undefined : { body, variables: [] };
  const code: unknown = JSON.parse(n8nCode({ id, operation, request, publicUrl: '' }) ?? '{}');
  const [node]: unknown[] = isObject(code) && Array.isArray(code.nodes) ? code.nodes : [];
  if (!isObject(node) || !isObject(node.parameters)) throw new Error('There is no node to paste.');
  return { node, parameters: node.parameters };
}

const answer = () =>
  success(JSON.stringify({ result: {}, results: [], postcodes: [], total: 0, dailyUsage: [] }), {
    'content-type': 'application/json',
  });

const url = 'https://example.com/';
const REQUESTS: readonly (readonly [keyof typeof operations, Readonly<Record<string, unknown>>])[] = [
  [
    'captureScreenshot',
    {
      url,
      fullPage: true,
      format: 'webp',
      width: 800,
      javaScript: false,
      hideSelectors: ['.advert'],
      headers: { 'X-Token': '$T' },
      cookies: [{ name: 'a', value: '$V' }],
      basicAuth: { username: 'ada', password: '$P' },
    },
  ],
  ['captureScreenshot', { url, clip: { x: 0, y: 1, width: 20, height: 30 } }],
  [
    'captureScreenshot',
    { url, steps: [{ fill: '#q', value: 'tea' }, { press: 'Enter' }, { waitMs: 200 }, { click: '#first' }] },
  ],
  ['createCaptureLink', { operation: 'capturePdf', request: { url } }],
  [
    'createCaptureLink',
    {
      operation: 'captureScreenshot',
      request: { url, fullPage: true, width: 800 },
      refreshSeconds: 600,
    },
  ],
  ['capturePdf', { html: '<h1>Invoice</h1>', format: 'A5', singlePage: true }],
  ['readPage', { url, mainContentOnly: false, includeLinks: true }],
  ['lookupPostcode', { postcode: 'SW1A 1AA', include: ['codes', 'areas'] }],
  ['lookupPostcodes', { postcodes: ['SW1A 1AA', 'EH99 1SP'] }],
  ['validatePostcode', { postcode: 'SW1A 1AA' }],
  ['findNearestPostcodes', { postcode: 'SW1A 1AA', limit: 3, offset: 2 }],
  ['findNearestPostcodes', { latitude: 51.5, longitude: -0.1, radiusMetres: 500 }],
  ['autocompletePostcode', { partial: 'M11 ', limit: 5 }],
  ['getOutcode', { outcode: 'SW1A' }],
  ['listAreaPostcodes', { code: 'E09000033' }],
  ['listAreaPostcodes', { kind: 'ward', name: 'St James’s', limit: 7 }],
  ['measureDistance', { from: 'SW1A 1AA', to: ['EH99 1SP'] }],
  ['reverseGeocode', { points: [{ latitude: 51.5, longitude: -0.1 }] }],
  ['findPostcodesInText', { text: 'At SW1A 1AA.' }],
  ['getDirectory', {}],
  ['getUsage', {}],
];

test.each(REQUESTS)(
  'a node pasted from the console into n8n sends %s with the same body: %j',
  async (id, body) => {
    const operation: Operation = operations[id];
    const { node, parameters } = pastedNode(id, operation, body);
    const resource = resources.find(({ value }) => value === parameters.resource);
    const chosen = resource?.operations.find(({ value }) => value === parameters.operation);
    if (chosen === undefined) throw new Error('The node has no such operation.');
    const { context, requests } = fakeExecution({
      operation: chosen,
      parameters,
      answer,
      typeVersion: Number(node.typeVersion),
    });
    await runOperation(context, new ServiceClient(context, signpostService), chosen).catch(() => undefined);
    expect(node.typeVersion).toBe(1.2);
    expect(node.type).toBe('n8n-nodes-signpost.signpost');
    expect(requests[0]?.url).toContain(operation.path);
    if (operation.request !== undefined)
      expect(operation.request.parse(requests[0]?.body)).toEqual(operation.request.parse(body));
  },
);
