import { endpointAt } from '../../../../test/fixtures/capture/remote-browser.js';
import { toEndpointProblem } from './connect-browser.js';

test('if a remote browser ends, neither the message nor the detail of the error contains its address, which may contain a token', () => {
  const endpoint = endpointAt('cdp+wss://browsers.example/?token=hush');
  const words = `Target closed: ${endpoint.url} has ended\nBrowser logs:\n<ws connecting> ${endpoint.url}`;
  const { message, detail } = toEndpointProblem(new Error(words), endpoint);

  expect(message).toBe('it ended during the test');
  expect(detail).toBe(`Error: Target closed: ${endpoint.label} has ended`);
});
