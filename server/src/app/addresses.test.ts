import { foreignCaller } from 'signpost-mcp/callers';
import { allowedMcpCallers } from './addresses.js';

const nothing = { hosts: [], origins: [] };

test('a server is called by loopback names, its own, that of its public address, and those configured', () => {
  const allowed = allowedMcpCallers({
    host: '10.1.2.3',
    publicUrl: 'https://signpost.example:8443/base',
    mcp: { hosts: ['signpost'], origins: [] },
  });
  for (const host of [
    'localhost:3000',
    '127.0.0.1',
    '[::1]:3000',
    '10.1.2.3:3000',
    'signpost.example:8443',
    // A proxy may leave the port out of what it passes on.
    'signpost.example',
    'signpost:3000',
  ])
    expect(foreignCaller({ host }, allowed)).toBeUndefined();
  for (const host of ['evil.example', '10.1.2.4'])
    expect(foreignCaller({ host }, allowed)).toContain('"Host"');
});

test('listening everywhere makes no name known', () => {
  for (const host of ['0.0.0.0', '::'])
    expect(allowedMcpCallers({ host, publicUrl: undefined, mcp: nothing }).hosts).not.toContain(host);
});

test('pages of the public address and of those configured may call', () => {
  const allowed = allowedMcpCallers({
    host: '127.0.0.1',
    publicUrl: 'https://signpost.example',
    mcp: { hosts: [], origins: ['https://app.example'] },
  });
  for (const origin of ['https://signpost.example', 'https://app.example'])
    expect(foreignCaller({ host: 'localhost', origin }, allowed)).toBeUndefined();
  expect(foreignCaller({ host: 'localhost', origin: 'https://other.example' }, allowed)).toContain(
    '"Origin"',
  );
});
