import { deviceName } from '@signpost/contract';
import { deviceArgument } from './device-argument.js';

test.each([
  ['iphone 15', 'iPhone 15'],
  ['iPhone15 Pro Max', 'iPhone 15 Pro Max'],
  ['Apple iPhone 15', 'iPhone 15'],
  ['Samsung Galaxy S24', 'Galaxy S24'],
  ['galaxy s24 ultra', 'Galaxy S24'],
  ['iPad', 'iPad (gen 11)'],
  ['ipad mini landscape', 'iPad Mini landscape'],
  ['iPad 11th generation', 'iPad (gen 11)'],
  ['pixel', 'Pixel 2'],
  ['mobile', 'iPhone 15'],
  ['Tablet', 'iPad (gen 11)'],
])('understands %j as the device %s', (text, device) => {
  expect(deviceArgument.parse(text)).toBe(device);
});

test('accepts every device by its own name', () => {
  expect(deviceName.options.filter((name) => deviceArgument.parse(name) !== name)).toEqual([]);
});

test('the device "desktop" means no device', () => {
  expect(deviceArgument.parse('desktop')).toBeUndefined();
});

test.each(['', 'fridge', '15'])('rejects the device %j and lists names that work', (text) => {
  const { error } = deviceArgument.safeParse(text);
  expect(error?.issues[0]?.message).toMatch(/such as iPhone 15, .*"mobile"/u);
});
