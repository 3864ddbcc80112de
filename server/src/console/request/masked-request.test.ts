import { operations } from '@signpost/contract';
import { parse } from 'node:querystring';
import { readState } from './form-state.js';
import { requestFields } from './request-fields.js';
import { linkState, maskForm } from './masked-request.js';

const fields = requestFields(operations.captureScreenshot);
const link = (query: string, leftOutBefore: readonly string[] = []) => {
  const state = readState(parse(query), fields);
  const { query: linked, leftOut } = linkState(fields, state, leftOutBefore);
  return { linked, names: leftOut.map(({ name }) => name), shown: maskForm(fields, state, leftOut) };
};

test('the address of a form has the entered values, but no defaults', () => {
  const { linked, names } = link(
    'url=https://a.example&fullPage=yes&format=png&waitMs=0&javaScript=no&width=',
  );
  expect(Object.fromEntries(linked)).toEqual({ url: 'https://a.example', fullPage: 'yes', javaScript: 'no' });
  expect(names).toEqual([]);
});

test('cookies, headers, user names and passwords are left out of the address of a form, and reported as left out', () => {
  const { linked, names, shown } = link(
    'url=x&cookies=session=secret1&headers=X-Token:+secret2&basicAuth.username=secret3&basicAuth.password=secret4',
  );
  expect(linked.toString()).toBe('url=http%3A%2F%2Fx');
  expect(names.toSorted()).toEqual(['basicAuth', 'cookies', 'headers']);
  expect(JSON.stringify(shown)).not.toMatch(/secret[124]/u);
  expect(shown.variables).toContain('COOKIES_VALUE');
});

test('a form opened from an address names the fields that the address left out, and its code has examples for them', () => {
  const { names, shown } = link('url=http://x', ['cookies']);
  expect(names).toEqual(['cookies']);
  expect(shown.body).toEqual({
    url: 'http://x',
    cookies: [{ name: 'session', value: '$COOKIES_VALUE', path: '/' }],
  });
});

test('the address of a form leaves out values that are too long', () => {
  const { linked, names } = link(`url=http://x&css=${'a'.repeat(2_000)}`);
  expect(linked.toString()).toBe('url=http%3A%2F%2Fx');
  expect(names).toEqual(['css']);
});

test('opening the address of a form restores the entered values', () => {
  const { linked } = link('url=http://x&clip.x=0&clip.y=0&clip.width=10&clip.height=10&hideSelectors=a%0Ab');
  expect(link(String(linked)).linked.toString()).toBe(linked.toString());
  expect(link(String(linked)).shown.body).toEqual({
    url: 'http://x',
    clip: { x: 0, y: 0, width: 10, height: 10 },
    hideSelectors: ['a', 'b'],
  });
});
