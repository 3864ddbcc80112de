import { deviceName } from '@signpost/contract';
import registry from './devices.generated.json' with { type: 'json' };
import { DEFAULT_VIEWPORT } from '../browser/blank-page.js';
import { withWindow } from './page-window.js';

test('exactly the devices in the contract have a window', () => {
  expect(deviceName.options.toSorted()).toEqual(Object.keys(registry).toSorted());
});

test('without a device the window is the default', () => {
  expect(withWindow({})).toMatchObject({
    ...DEFAULT_VIEWPORT,
    scaleFactor: 1,
    isMobile: false,
    hasTouch: false,
    userAgent: undefined,
  });
});

test('a device sets the window, and other values override it', () => {
  const phone = withWindow({ device: 'iPhone 15' });
  expect(phone).toMatchObject({ width: 393, height: 659, scaleFactor: 3, isMobile: true, hasTouch: true });
  expect(phone.userAgent).toContain('iPhone');
  const own = { width: 500, height: 600, scaleFactor: 1.5, userAgent: 'Example/1.0' };
  expect(withWindow({ device: 'iPhone 15', ...own })).toEqual({ ...phone, ...own });
});
