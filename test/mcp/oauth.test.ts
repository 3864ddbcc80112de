import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import * as oauth from 'oauth4webapi';
import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signUp } from '../fixtures/console-steps.js';
import { servePages, type Pages } from '../fixtures/pages.js';

const HOUR_MS = 3_600_000;
const STATE = 'a state & more';

let app: ConsoleApp;
let browser: TestBrowser;
let pages: Pages;
let ada: Person;

beforeAll(async () => {
  [app, browser, pages] = await Promise.all([startConsoleApp(), startTestBrowser(), servePages()]);
  ada = await browser.person(app.url);
  await signUp(ada.page, 'ada@example.org', 'Ada');
});
afterAll(async () => {
  await ada.close();
  await browser.close();
  await pages.close();
  await app.close();
});

/** Opens the assistant's request in Ada's browser, agrees, and returns the address that she is redirected to. */
async function consent(wanted: URL): Promise<URL> {
  const { page, troubles } = ada;
  await page.goto(wanted.href);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(`${pages.url}/callback?*`);
  expect(troubles).toEqual([]);
  return new URL(page.url());
}

/** The storage of an assistant, in memory. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = `${pages.url}/callback`;
  readonly clientMetadata = { client_name: 'Test assistant', redirect_uris: [this.redirectUrl] };
  wanted: URL | undefined;
  stored: StoredOAuthTokens | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  state = () => STATE;
  clientInformation = () => this.#client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.#client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.stored = tokens);
  redirectToAuthorization = (url: URL) => void (this.wanted = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (discovered: OAuthDiscoveryState) => void (this.#discovered = discovered);
  discoveryState = () => this.#discovered;
}

test('a client connects with only the address, and renews its token', async () => {
  const authProvider = new Provider();
  const open = () => new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider });
  const first = open();
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  if (authProvider.wanted === undefined) throw new Error('Nobody was asked.');
  const back = await consent(authProvider.wanted);
  expect(back.searchParams.get('state')).toBe(STATE);
  await first.finishAuth(back.searchParams);

  const client = new Client({ name: 'test', version: '1' });
  await client.connect(open());
  const lookUp = () => client.callTool({ name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } });
  expect(await lookUp()).toMatchObject({ structuredContent: { result: { postcode: 'SW1A 1AA' } } });
  const before = authProvider.stored;
  app.pass(HOUR_MS);
  expect(await lookUp()).toMatchObject({ structuredContent: { result: { postcode: 'SW1A 1AA' } } });
  expect(authProvider.stored?.refresh_token).not.toBe(before?.refresh_token);
  await client.close();

  await ada.page.goto('/assistants');
  await ada.page
    .getByRole('row', { name: /Test assistant/u })
    .getByRole('button')
    .click();
  await ada.page.getByText('The connection has ended').waitFor();
  const ended = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${authProvider.stored?.access_token}` },
  });
  expect(ended.status).toBe(401);
});

/** The library accepts plain http only with this setting for tests. */
const here = { [oauth.allowInsecureRequests]: true };

test('an OAuth library that does not know MCP discovers, gets, renews and revokes a token', async () => {
  const resource = new URL(`${app.url}/mcp`);
  const found = await oauth.resourceDiscoveryRequest(resource, here);
  const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(resource, found);
  const issuer = new URL(servers?.[0] ?? '');
  const asAnswer = await oauth.discoveryRequest(issuer, { ...here, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, asAnswer);
  const redirectUri = `${pages.url}/callback`;
  const metadata = {
    client_name: 'Library',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  };
  const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, here);
  const client = await oauth.processDynamicClientRegistrationResponse(registered);

  const verifier = oauth.generateRandomCodeVerifier();
  const wanted = new URL(server.authorization_endpoint ?? '');
  wanted.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state: STATE,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: resource.href,
  }).toString();
  const parameters = oauth.validateAuthResponse(server, client, await consent(wanted), STATE);
  const redeemed = await oauth.authorizationCodeGrantRequest(
    ...([server, client, oauth.None(), parameters, redirectUri, verifier] as const),
    { ...here, additionalParameters: { resource: resource.href } },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed);
  const { refresh_token: refreshToken = '' } = tokens;
  const renewed = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, here);
  const { access_token: token } = await oauth.processRefreshTokenResponse(server, client, renewed);

  const ping = () =>
    fetch(resource, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  expect((await ping()).status).toBe(200);
  const revoked = await oauth.revocationRequest(server, client, oauth.None(), token, here);
  await oauth.processRevocationResponse(revoked);
  expect((await ping()).status).toBe(401);
});
