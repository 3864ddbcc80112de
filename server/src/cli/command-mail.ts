import type { Config } from '../app/config.js';
import { openNotifications } from '../app/mail.js';
import { DisposalStack } from '../platform/disposal-stack.js';
import type { Log } from '../platform/log.js';
import type { CommandMail } from './cli-context.js';

/** Opens the mail of commands. Unlike a server, a command waits until a mail was sent or failed, and says which. */
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
