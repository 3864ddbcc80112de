import type { Config } from '../app/config.js';
import { openNotifications } from '../app/mail.js';
import { DisposalStack } from '../platform/disposal-stack.js';
import type { Log } from '../platform/log.js';
import type { CommandMail } from './cli-context.js';

/** Opens mail for commands. Unlike that of a server, its `link` waits until the mail was sent or has failed. */
export async function openCommandMail(config: Config, publicUrl: string, log: Log): Promise<CommandMail> {
  const open = new DisposalStack();
  const notifications = await openNotifications(config, { log, publicUrl: () => publicUrl }, open);
  return {
    async link(to, link) {
      if (!notifications.reaches(to)) return undefined;
      const before = notifications.unsent();
      notifications.link(to, link);
      await notifications.idle();
      return notifications.unsent() === before;
    },
    close: () => open.close(),
  };
}
