import type { INodeProperties } from 'n8n-workflow';
import { Signpost } from '../../nodes/Signpost/Signpost.node.js';
import { SignpostReferral } from '../../nodes/SignpostReferral/SignpostReferral.node.js';
import { SignpostTrigger } from '../../nodes/SignpostTrigger/SignpostTrigger.node.js';

interface Placed {
  readonly path: string;
  readonly parameter: INodeProperties;
}

/** A parameter, and all parameters and options inside it. */
const withParts = (parameter: INodeProperties, place: string): Placed[] => {
  const path = `${place} > ${parameter.displayName}`;
  const parts = (parameter.options ?? []).flatMap((option) => {
    if ('values' in option) return option.values;
    return 'displayName' in option ? [option] : [];
  });
  return [{ path, parameter }, ...parts.flatMap((part) => withParts(part, path))];
};

const all = [new Signpost(), new SignpostReferral(), new SignpostTrigger()].flatMap(({ description }) =>
  description.properties.flatMap((parameter) => withParts(parameter, description.displayName)),
);

/** Parameters that n8n's own nodes leave without a description too. */
const SAYS_ITSELF = ['resource', 'operation', 'event', 'options', 'notice', 'pollNotice'];

test('each parameter and option that does not explain itself has a description', () => {
  const silent = all.filter(
    ({ parameter: { name, description = '' } }) => !SAYS_ITSELF.includes(name) && description === '',
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
  expect(all.length).toBeGreaterThan(200);
});

test('the descriptions in the editor quote no parameter by its internal name, and name no X- header but X-Token', () => {
  const names = new Set(all.map(({ parameter }) => parameter.name));
  const named = all.filter(({ parameter: { description = '' } }) =>
    [...description.matchAll(/"(\w+)"/gu)].some(([, name = '']) => names.has(name)),
  );
  expect(named.map(({ path, parameter }) => `${path}: ${parameter.description}`)).toEqual([]);
  expect(all.filter(({ parameter }) => /\bX-(?!Token)/u.test(parameter.description ?? ''))).toEqual([]);
});

test('each choice has one of its options as default; each parameter with several entries, a text for its Add button', () => {
  const choices = all.filter(({ parameter }) => parameter.type === 'options');
  const outside = choices.filter(
    ({ parameter: { options = [], default: value } }) =>
      !options.some((option) => 'value' in option && option.value === value),
  );
  expect(outside.map(({ path }) => path)).toEqual([]);
  const several = all.filter(({ parameter }) => parameter.typeOptions?.multipleValues === true);
  const unsaid = several.filter(
    ({ parameter: { placeholder, typeOptions } }) =>
      !/^Add \p{Lu}/u.test(typeOptions?.multipleValueButtonText ?? placeholder ?? ''),
  );
  expect(several.length).toBeGreaterThan(5);
  expect(unsaid.map(({ path }) => path)).toEqual([]);
});

test('in the newest version of each node, no list offers more than 12 options', () => {
  const isInNewest = ({ displayOptions }: Pick<INodeProperties, 'displayOptions'>) =>
    !JSON.stringify(displayOptions ?? {}).includes('"lt":');
  const lists = [new Signpost(), new SignpostReferral(), new SignpostTrigger()].flatMap(({ description }) =>
    description.properties
      .filter((parameter) => parameter.type === 'collection' && isInNewest(parameter))
      .map(({ displayName, displayOptions, options = [] }) => ({
        list: [
          description.displayName,
          JSON.stringify(displayOptions?.show?.operation ?? []),
          displayName,
        ].join(' > '),
        count: options.filter((option) => !('type' in option) || isInNewest(option)).length,
      })),
  );
  expect(lists.filter(({ count }) => count > 12)).toEqual([]);
  expect(lists.length).toBeGreaterThan(20);
});

const UNITS = '(?:Characters|Kilobytes|Metres|Milliseconds|Minutes|Pixels|Seconds)';

test('a parameter with a unit has it in brackets at the end of its name', () => {
  const [unit, inBrackets] = [new RegExp(`\\b${UNITS}\\b`, 'u'), new RegExp(`\\(${UNITS}\\)$`, 'u')];
  const isWrong = ({ parameter: { displayName, type, description = '' } }: Placed) => {
    const isNumberWithUnit = type === 'number' && new RegExp(`\\bin ${UNITS}\\b`, 'iu').test(description);
    const name = displayName.replace(inBrackets, '').trim();
    return unit.test(name) || name === '' || (isNumberWithUnit && !inBrackets.test(displayName));
  };
  // Notices are left out: they are sentences, which contain their units.
  const wrong = all.filter((one) => one.parameter.type !== 'notice' && isWrong(one));
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ parameter }) => inBrackets.test(parameter.displayName)).length).toBeGreaterThan(20);
  const sides = all.filter(({ path }) => /> A Piece of the Page > Clip > /u.test(path));
  expect(sides.map(({ parameter }) => [parameter.displayName, parameter.default])).toEqual([
    ['Left (Pixels)', 0],
    ['Top (Pixels)', 0],
    ['Width (Pixels)', 400],
    ['Height (Pixels)', 300],
  ]);
});

test('no action of an operation contains an article', () => {
  const actions = all.flatMap(({ parameter: { name, options = [] } }) =>
    name === 'operation' ? options.flatMap((option) => ('action' in option ? [option.action] : [])) : [],
  );
  expect(actions.length).toBeGreaterThan(15);
  expect(actions.filter((action) => /\b(?:an?|the)\b/iu.test(action))).toEqual([]);
});

test('limits are called and described as in the nodes of n8n', () => {
  const limits = all.filter(({ parameter }) => parameter.displayName === 'Limit');
  expect(limits.length).toBeGreaterThanOrEqual(3);
  for (const { parameter } of limits)
    expect([parameter.type, parameter.description]).toEqual([
      'number',
      expect.stringMatching(/^Max number of results to return(?:$|\. )/u),
    ]);
  expect(all.filter(({ parameter }) => /^Max /u.test(parameter.displayName))).toEqual([]);
});

test.each([
  ['Device', ['iPhone 15', 'Galaxy S8']],
  ['Timezone', ['Europe/London', 'Europe/Kyiv', 'UTC']],
])('the parameter %s is a list of more than 100 values', (displayName, some) => {
  const lists = all.filter(({ parameter }) => parameter.displayName === displayName);
  expect(lists.length).toBeGreaterThan(3);
  for (const { parameter } of lists) {
    const values = (parameter.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
    expect(parameter.type).toBe('options');
    expect(values).toEqual(expect.arrayContaining(some));
    expect(values.length).toBeGreaterThan(100);
  }
});

test('the names of the kinds of areas include ICB, LSOA, MSOA and Local Authority', () => {
  const kinds = all.filter(({ parameter }) => parameter.name === 'kind');
  const names = kinds.flatMap(({ parameter }) => (parameter.options ?? []).map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(['ICB', 'LSOA', 'MSOA', 'Local Authority']));
});

/** How many characters of a name the editor shows at its usual width, by how deep the parameter is. */
const SHOWN_CHARACTERS = new Map([
  [3, 28],
  [4, 21],
]);

test('the names of options are short enough to be shown whole', () => {
  const tooLong = all.filter(({ path, parameter: { displayName } }) => {
    const depth = path.split(' > ').length;
    return displayName.length > (SHOWN_CHARACTERS.get(depth) ?? Infinity);
  });
  expect(tooLong.map(({ path }) => path)).toEqual([]);
});
