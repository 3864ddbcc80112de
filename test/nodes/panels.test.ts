import type { INodeProperties } from 'n8n-workflow';
import { Signpost } from '../../nodes/Signpost/Signpost.node.js';
import { SignpostReferral } from '../../nodes/SignpostReferral/SignpostReferral.node.js';
import { SignpostTrigger } from '../../nodes/SignpostTrigger/SignpostTrigger.node.js';

interface Placed {
  readonly path: string;
  readonly parameter: INodeProperties;
}

/** A parameter with all that stands in it. */
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

/** What n8n's own nodes leave without words too. */
const SAYS_ITSELF = ['resource', 'operation', 'event', 'options', 'notice', 'pollNotice'];

test('each parameter and option says what it is for', () => {
  const silent = all.filter(
    ({ parameter: { name, description = '' } }) => !SAYS_ITSELF.includes(name) && description === '',
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
  expect(all.length).toBeGreaterThan(200);
});

test('what the editor says of parameters names none of them as HTTP does', () => {
  const names = new Set(all.map(({ parameter }) => parameter.name));
  const named = all.filter(({ parameter: { description = '' } }) =>
    [...description.matchAll(/"(\w+)"/gu)].some(([, name = '']) => names.has(name)),
  );
  expect(named.map(({ path, parameter }) => `${path}: ${parameter.description}`)).toEqual([]);
  expect(all.filter(({ parameter }) => /\bX-(?!Token)/u.test(parameter.description ?? ''))).toEqual([]);
});

test('a choice begins with one that is offered, and a list says what its button adds', () => {
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
