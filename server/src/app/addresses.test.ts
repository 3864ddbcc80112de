import { allowedOrigins } from './addresses.js';
import { readConfig } from './config.js';
import { servedNames } from './served-names.js';

const namesFor = (environment: Readonly<Record<string, string>>) => servedNames(readConfig(environment));

test('the server accepts the host it listens on, the host of its public URL, and the configured names', () => {
  expect(
    namesFor({
      SIGNPOST_HOST: 'signpost.lan',
      SIGNPOST_PUBLIC_URL: 'https://signpost.example:8443',
      SIGNPOST_ALLOWED_HOSTS: 'host.docker.internal, signpost.local:3000',
      SIGNPOST_MCP_ALLOWED_HOSTS: 'mcp.example',
    }),
  ).toEqual([
    'signpost.lan',
    'signpost.example',
    'host.docker.internal',
    'signpost.local:3000',
    'mcp.example',
  ]);
});

test('lets pages of the public address and of the configured origins call /mcp', () => {
  const config = readConfig({
    SIGNPOST_PUBLIC_URL: 'https://signpost.example',
    SIGNPOST_MCP_ALLOWED_ORIGINS: 'https://app.example',
  });
  expect(allowedOrigins(config)).toEqual(['https://signpost.example', 'https://app.example']);
});
