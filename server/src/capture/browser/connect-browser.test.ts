import { endpointAt } from '../../../../test/fixtures/capture/remote-browser.js';
import { toEndpointProblem } from './connect-browser.js';

test('the details about a browser that ends do not contain its address, which may contain a token', () => {
  const endpoint = endpointAt('cdp+wss://browsers.example/?token=hush');
  const words = `Target closed: ${endpoint.url} has ended\nBrowser logs:\n<ws connecting> ${endpoint.url}`;
  const { message, detail } = toEndpointProblem(new Error(words), endpoint);

  expect(message).toBe('it ended during the test');
  expect(detail).toBe(`Error: Target closed: ${endpoint.label} has ended`);
});
