import type { CaptureState } from '../capture/capture-service.js';
import { createNetworkProbe, type NetworkProbe, PROBE_TIMES } from '../capture/network/network-probe.js';
import type { Finding } from '../platform/finding.js';
import { openSystemNames } from '../platform/names/name-lookups.js';
import type { Config } from './config.js';

const NAME = 'Network';

const down = (problem: string): Finding => ({
  name: NAME,
  state: 'does not work',
  message: `pages of other machines cannot be captured: ${problem}`,
  advice:
    "Check the machine's network and the name servers in /etc/resolv.conf. If this server only captures pages of your own network, name a host of it in SIGNPOST_NETWORK_PROBE.",
});

const systemProbe = () => createNetworkProbe(openSystemNames({ hostsFile: null, times: PROBE_TIMES }));

/** Whether name servers respond, and there is a route to the addresses that they return. */
export async function networkFinding(
  { capture: { probeNames } }: { readonly capture: Pick<Config['capture'], 'probeNames'> },
  probe: NetworkProbe = systemProbe(),
): Promise<Finding> {
  if (probeNames.length === 0)
    return { name: NAME, state: 'works', message: 'not checked, because SIGNPOST_NETWORK_PROBE is "off"' };
  const problem = await probe(probeNames);
  return problem === undefined
    ? { name: NAME, state: 'works', message: 'name servers answer' }
    : down(problem);
}

/** Like `networkFinding`, for a running server, which knows from its captures. */
export const runningNetworkFinding = ({ networkProblem }: Pick<CaptureState, 'networkProblem'>): Finding =>
  networkProblem === undefined
    ? { name: NAME, state: 'works', message: 'no capture has failed for lack of it' }
    : down(networkProblem);
