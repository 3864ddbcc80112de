import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { SignpostApi } from '../../credentials/SignpostApi.credentials';
import { SignpostReferralApi } from '../../credentials/SignpostReferralApi.credentials';
import { Signpost } from '../../nodes/Signpost/Signpost.node.js';
import { property } from '../../nodes/shared/values';
import { SignpostTrigger } from '../../nodes/SignpostTrigger/SignpostTrigger.node.js';
import { SignpostReferral } from '../../nodes/SignpostReferral/SignpostReferral.node.js';

const signpost = new Signpost().description;
const referral = new SignpostReferral().description;
const icons = join(__dirname, '../../icons');

const iconsOf = ({ icon }: Pick<INodeTypeDescription, 'icon'>) => {
  if (typeof icon !== 'object') throw new Error('The icon has no light and dark form.');
  return Promise.all(
    [icon.light, icon.dark].map(
      async (file) => await readFile(join(icons, file.split('/').at(-1) ?? ''), 'utf8'),
    ),
  );
};

test('all nodes and credentials have an icon for light and dark mode, one for each service', async () => {
  const drawn = [...(await iconsOf(signpost)), ...(await iconsOf(referral))];
  expect(new Set(drawn).size).toBe(4);
  expect(await iconsOf(new SignpostTrigger().description)).toEqual(drawn.slice(0, 2));
  expect(await iconsOf(new SignpostApi())).toEqual(drawn.slice(0, 2));
  expect(await iconsOf(new SignpostReferralApi())).toEqual(drawn.slice(2));
});

/** Returns the parameters that n8n gives to a node on which only the `chosen` ones were set. */
function untouched(description: INodeTypeDescription, typeVersion: number, chosen = {}) {
  const parameters = { resource: 'postcode', operation: 'lookUpMany', ...chosen };
  const node: INode = { id: '1', name: 'Node', type: 'any', typeVersion, position: [0, 0], parameters };
  const all = NodeHelpers.getNodeParameters(
    description.properties,
    parameters,
    true,
    false,
    node,
    description,
  );
  return all ?? {};
}

const PAGE = /https?:\/\/[^\s"'`)]+/gu;
const packageJson = join(__dirname, '../../package.json');

test('links in the editor lead to the page of the package on npm', async () => {
  const codexFiles = ['Signpost', 'SignpostReferral', 'SignpostTrigger'].map((name) =>
    readFile(join(__dirname, `../../nodes/${name}/${name}.node.json`), 'utf8'),
  );
  const credentials = [new SignpostApi(), new SignpostReferralApi()].map((one) => one.documentationUrl);
  const links = [...(await Promise.all(codexFiles)), ...credentials].flatMap(
    (text) => text.match(PAGE) ?? [],
  );
  const manifest: unknown = JSON.parse(await readFile(packageJson, 'utf8'));
  const [name, homepage] = [property(manifest, 'name'), property(manifest, 'homepage')];
  expect(homepage).toBe(`https://www.npmjs.com/package/${String(name)}`);
  expect(links).toHaveLength(8);
  expect(new Set(links)).toEqual(new Set([homepage]));
  const readme = await readFile(join(__dirname, '../../nodes/README.md'), 'utf8');
  expect(readme).toContain(`# ${String(name)}`);
  expect(readme).toContain('## Credentials');
});

test('no parameter has a hint if the editor would show the value of an expression in its place', () => {
  const all = [...signpost.properties, ...referral.properties];
  const hidden = all.filter(
    ({ default: value, hint }) => hint !== undefined && typeof value === 'string' && value.startsWith('='),
  );
  expect(hidden.map(({ displayName }) => displayName)).toEqual([]);
  expect(all.filter(({ hint }) => hint !== undefined).length).toBeGreaterThan(2);
});

test('each node offers all of its versions, and new workflows get the newest one', () => {
  expect([signpost.version, signpost.defaultVersion]).toEqual([[1, 1.1, 1.2], 1.2]);
  for (const { version, defaultVersion } of [referral, new SignpostTrigger().description])
    expect([version, defaultVersion]).toEqual([[1, 1.1], 1.1]);
});

test('Look Up Many as a tool of an agent gets the postcodes from the model', () => {
  const tool = { ...signpost, name: 'signpostTool' };
  expect(untouched(tool, 1.1)).toMatchObject({
    source: 'list',
    postcodes: expect.stringContaining("$fromAI('Postcodes'"),
  });
  expect(untouched(tool, 1)).toMatchObject({ source: 'items' });
  expect(untouched(tool, 1, { source: 'list', postcodes: 'SW1A 1AA' })).toMatchObject({
    postcodes: 'SW1A 1AA',
  });
  for (const version of [1, 1.1, 1.2]) {
    expect(untouched(signpost, version)).toMatchObject({
      source: 'items',
      postcodeOfItem: '={{ $json.postcode }}',
    });
    expect(untouched(signpost, version, { source: 'list' })).toMatchObject({ postcodes: '' });
  }
});

test('Find Nearest starts from a postcode in new workflows, and from coordinates in older ones', () => {
  const chosen = { operation: 'findNearest' };
  expect(untouched(signpost, 1.2, chosen)).toMatchObject({ startFrom: 'postcode', returnAll: false });
  expect(untouched(signpost, 1.1, chosen)).toMatchObject({ startFrom: 'point', simplify: true });
});

test('Look Up returns chosen fields of a record in new workflows, and can simplify it in older ones', () => {
  const chosen = { operation: 'lookUp', recordOutput: 'fields', recordFields: ['ward'] };
  expect(untouched(signpost, 1.2, chosen)).toMatchObject({ recordOutput: 'fields', recordFields: ['ward'] });
  expect(untouched(signpost, 1.2, chosen)).not.toHaveProperty('simplify');
  expect(untouched(signpost, 1.1, chosen)).toMatchObject({ simplify: true });
  expect(untouched(signpost, 1.1, chosen)).not.toHaveProperty('recordOutput');
});

test('the kind of area in List Area is local authority by default in new workflows, and country in older ones', () => {
  const chosen = { operation: 'listArea' };
  expect(untouched(signpost, 1.2, chosen)).toMatchObject({ findBy: 'name', kind: 'localAuthority' });
  expect(untouched(signpost, 1.1, chosen)).toMatchObject({ findBy: 'name', kind: 'country' });
});

test('Reverse Geocode takes one point of each item in new workflows, and a list in older ones', () => {
  const chosen = { operation: 'reverseGeocode', points: { values: [{ latitude: 51.5, longitude: 0 }] } };
  expect(untouched(signpost, 1.2, chosen)).toMatchObject({ latitude: '={{ $json.latitude }}' });
  expect(untouched(signpost, 1.2, chosen)).not.toHaveProperty('points');
  expect(untouched(signpost, 1.1, chosen)).toHaveProperty('points');
});

test.each([
  ['capture', 'screenshot', 'url', 'URL'],
  ['capture', 'makeALink', 'url', 'URL'],
  ['postcode', 'lookUp', 'postcode', 'Postcode'],
  ['postcode', 'autocomplete', 'partial', 'Partial_Postcode'],
  ['postcode', 'findInText', 'text', 'Text'],
])('%s %s as a tool gets %s, with a description, from the model', (resource, operation, name, key) => {
  const tool = { ...signpost, name: 'signpostTool' };
  const chosen = { resource, operation };
  expect(untouched(tool, 1.2, chosen)).toMatchObject({
    [name]: expect.stringMatching(new RegExp(`\\$fromAI\\('${key}', \`\\w.+\`, 'string'\\)`, 'u')),
  });
  for (const [description, version] of [
    [tool, 1.1],
    [signpost, 1.2],
  ] as const)
    expect(untouched(description, version, chosen)).toMatchObject({ [name]: '' });
  expect(untouched(tool, 1.2, { ...chosen, [name]: 'mine' })).toMatchObject({ [name]: 'mine' });
});

test('the README in the package has two workflows to paste, each with connections and a node of this package', async () => {
  const readme = await readFile(join(__dirname, '../../nodes/README.md'), 'utf8');
  const workflows = [...readme.matchAll(/```json\n([\s\S]*?)```/gu)].map(([, json = '']) => {
    const workflow: unknown = JSON.parse(json);
    return workflow;
  });
  expect(workflows).toHaveLength(2);
  for (const workflow of workflows) {
    expect(property(workflow, 'connections')).toBeDefined();
    expect(property(workflow, 'nodes')).toContainEqual(
      expect.objectContaining({ type: 'n8n-nodes-signpost.signpost', typeVersion: signpost.defaultVersion }),
    );
  }
  expect([...readme.matchAll(/\]\((?!https:\/\/)/gu)]).toEqual([]);
});

test('the README and docs/n8n.md name the versions of n8n that the tests install, and what n8n 3.0 changes', async () => {
  const read = (path: string) => readFile(join(__dirname, '../..', path), 'utf8');
  const installed = [...(await read('scripts/n8n-install.mjs')).matchAll(/ version: '(\d+\.\d+\.\d+)'/gu)];
  const [newest = '', oldest = ''] = installed.map(([, version]) => version);
  expect(oldest).toMatch(/^1\./u);
  const minor = (version: string) => version.split('.').slice(0, 2).join('.');
  const readme = await read('nodes/README.md');
  expect(readme).toContain(`| ${minor(oldest)} to ${minor(newest)}, self-hosted | Yes |`);
  for (const text of [readme, await read('docs/n8n.md')]) {
    expect(text).toContain(`tested with n8n ${oldest} and ${newest}`);
    for (const words of [
      'Docker image',
      'N8N_UNVERIFIED_PACKAGES_ENABLED=true',
      'N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV=true',
      '{"name": "n8n-nodes-signpost"}',
    ])
      expect(text).toContain(words);
  }
});
