import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IndexedCMPRuleset } from '@duckduckgo/autoconsent';
import { z } from 'zod';
import { loadOnce } from '../../platform/load-once.js';

/** The settings of autoconsent: it declines if possible, and closes a notice that can only be acknowledged. */
const CONFIG = { enabled: true, autoAction: 'optOut', enablePrehide: false, heuristicMode: 'tier1' };

/** The messages of autoconsent's scripts that are used here. */
export const consentMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('eval'), id: z.string(), code: z.string() }),
  z.object({ type: z.literal('cmpDetected') }),
  z.object({ type: z.literal('popupFound') }),
  z.object({ type: z.literal('optOutResult'), result: z.boolean() }),
  z.object({ type: z.literal('autoconsentDone') }),
  /** The second check of the page itself has begun. Later checks wait for the page to change. */
  z.object({ type: z.literal('report') }),
]);

export type ConsentMessage = z.output<typeof consentMessage>;

const TOLD = consentMessage.options.map(({ shape }) => shape.type.value);

/** A script that queues the messages of autoconsent's scripts until they are read. */
const MAILBOX = `{
  const said = [];
  let tell;
  const pass = () => {
    if (tell === undefined || said.length === 0) return;
    tell(said.shift());
    tell = undefined;
  };
  window.autoconsentSendMessage = async (message) => {
    if (!${JSON.stringify(TOLD)}.includes(message.type)) return;
    if (message.type === 'report' && !(message.mainFrame && message.state.findCmpAttempts === 2)) return;
    said.push(message);
    pass();
  };
  window.signpostNextMessage = () => new Promise((resolve) => {
    tell = resolve;
    pass();
  });
}`;

/** An expression that resolves with the next message of autoconsent's scripts. */
export const NEXT_MESSAGE = 'signpostNextMessage()';

/** Makes the script that finds cookie banners in a document and closes them, with the rules for that document. */
export type ConsentScript = (url: string, isTop: boolean) => string;

const require = createRequire(import.meta.url);

async function load(): Promise<ConsentScript> {
  const path = join(dirname(require.resolve('@duckduckgo/autoconsent')), 'autoconsent.playwright.js');
  const [script, { filterCompactRules }] = await Promise.all([
    readFile(path, 'utf8'),
    import('@duckduckgo/autoconsent'),
  ]);
  const all = z
    .custom<IndexedCMPRuleset>()
    .parse(require('@duckduckgo/autoconsent/rules/compact-rules.json'));
  return (url, isTop) => {
    const rules = { autoconsent: [], compact: filterCompactRules(all, { url, mainFrame: isTop }) };
    return `${MAILBOX}\n${script}\n${consentAnswer({ type: 'initResp', config: CONFIG, rules })}; undefined`;
  };
}

/** Loads the function that makes autoconsent's script, at first use. */
export const consentScript: () => Promise<ConsentScript> = loadOnce(load);

/** A script that passes autoconsent's scripts the reply to one of their messages. */
export const consentAnswer = (message: object): string =>
  `autoconsentReceiveMessage(${JSON.stringify(message)})`;
