import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBrowserHome } from '../capture/browser/browser-home.js';
import type { CaptureState } from '../capture/capture-service.js';
import {
  createNetworkProbe,
  hasRoute,
  type NetworkProbe,
  PROBE_TIMES,
} from '../capture/network/network-probe.js';
import { failedFinding, type Finding } from '../platform/finding.js';
import { openSystemNames } from '../platform/names/name-lookups.js';
import { openOutbound } from '../platform/outbound/outbound-proxy.js';
import { DIRECT, type OutboundSettings, proxyLabel } from '../platform/outbound/outbound-settings.js';
import { readExtraCertificates } from '../platform/outbound/trusted-certificates.js';
import type { Config } from './config.js';

const NAME = 'Network';

const networkDown = (problem: string): Finding => ({
  name: NAME,
  state: 'does not work',
  message: `pages of other machines cannot be captured: ${problem}`,
  advice:
    "Check the machine's network, the name servers in /etc/resolv.conf, and SIGNPOST_OUTBOUND_PROXY if other machines are reached only through a proxy. If this server only captures pages of your own network, name a host of it in SIGNPOST_NETWORK_PROBE.",
});

const systemProbe = (outbound: OutboundSettings) =>
  createNetworkProbe(
    openSystemNames({ hostsFile: null, times: PROBE_TIMES }),
    hasRoute,
    openOutbound(outbound).proxy,
  );

interface NetworkConfig {
  readonly capture: Pick<Config['capture'], 'probeNames'>;
  readonly outbound?: OutboundSettings;
}

/**
 * Whether the network works according to `probe`, through the proxy for outgoing requests if there is one. The finding
 * is "works" without a check if `probeNames` is empty.
 */
export async function networkFinding(
  { capture: { probeNames }, outbound = DIRECT }: NetworkConfig,
  probe: NetworkProbe = systemProbe(outbound),
): Promise<Finding> {
  if (probeNames.length === 0)
    return { name: NAME, state: 'works', message: 'not checked, because SIGNPOST_NETWORK_PROBE is "off"' };
  const problem = await probe(probeNames);
  return problem === undefined
    ? {
        name: NAME,
        state: 'works',
        message: outbound.proxy === undefined ? 'name servers answer' : 'the proxy makes connections',
      }
    : networkDown(problem);
}

/** Whether the network works, according to the capture service of a running server. */
export const runningNetworkFinding = ({ networkProblem }: Pick<CaptureState, 'networkProblem'>): Finding =>
  networkProblem === undefined
    ? { name: NAME, state: 'works', message: 'no capture has failed for lack of it' }
    : networkDown(networkProblem);

/**
 * Reports the proxy for outgoing requests, or else a proxy variable of other programs, which has no effect. Checks the
 * extra certificates, if there are any.
 */
export async function outboundFindings(
  { outbound: { proxy, extraCaFile }, ignoredProxy }: Pick<Config, 'outbound' | 'ignoredProxy'>,
  nowMs: number,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const name = 'Outgoing proxy';
  if (proxy === undefined && ignoredProxy !== undefined)
    findings.push({
      name,
      state: 'works',
      message: `none: ${ignoredProxy} is set, but only SIGNPOST_OUTBOUND_PROXY has an effect`,
    });
  if (proxy !== undefined) {
    const except = proxy.except.length === 0 ? '' : `, except for ${proxy.except.join(', ')}`;
    const message = `${proxyLabel(proxy)}${except}`;
    findings.push(
      proxy.resolvesNames
        ? {
            name,
            state: 'could be better',
            message: `${message}; it resolves the names of pages, so the guard cannot check to which addresses they lead`,
            advice:
              'If this machine can resolve names, leave out SIGNPOST_OUTBOUND_PROXY_RESOLVES. Otherwise have the proxy refuse the addresses of your own networks.',
          }
        : { name, state: 'works', message },
    );
  }
  if (extraCaFile !== undefined) findings.push(await certificatesFinding(extraCaFile, nowMs));
  return findings;
}

/** Whether the server and the browser can read the extra certificates, and none of them has expired. */
async function certificatesFinding(extraCaFile: string, nowMs: number): Promise<Finding> {
  const name = 'Extra certificates';
  const home = await mkdtemp(join(tmpdir(), 'signpost-home-'));
  try {
    const certificates = readExtraCertificates(extraCaFile).map((pem) => new X509Certificate(pem));
    await makeBrowserHome(home, extraCaFile);
    const expired = certificates.find(({ validTo }) => Date.parse(validTo) < nowMs);
    const message = `${certificates.length} of ${extraCaFile}`;
    return expired === undefined
      ? { name, state: 'works', message }
      : {
          name,
          state: 'could be better',
          message: `${message}; one has expired: ${expired.subject.replaceAll('\n', ', ')}, ${expired.validTo}`,
          advice: 'Put the certificate that replaces it into the file of SIGNPOST_EXTRA_CA_FILE.',
        };
  } catch (error) {
    return {
      ...failedFinding(name, error),
      advice:
        'Pages with certificates of that authority cannot be captured until SIGNPOST_EXTRA_CA_FILE works.',
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
