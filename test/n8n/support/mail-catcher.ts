import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A file attached to a mail. */
interface Attachment {
  readonly fileName: string;
  readonly bytes: Buffer;
}

export interface Letter {
  readonly to: readonly string[];
  /** The whole mail as received: headers and body. */
  readonly source: string;
  readonly attachments: readonly Attachment[];
}

/** A mail server for one test, which keeps the mails that it receives. */
export interface MailCatcher {
  readonly port: number;
  readonly letters: readonly Letter[];
  close(): Promise<void>;
}

const BASE64_FILE =
  /Content-Disposition: (?:attachment|inline);\s+filename="?([^"\r\n]+)"?[\s\S]*?\r\n\r\n([A-Za-z\d+/=\r\n]+?)\r\n--/gu;

const attachmentsOf = (source: string): Attachment[] =>
  [...source.matchAll(BASE64_FILE)].map(([, fileName = '', content = '']) => ({
    fileName,
    bytes: Buffer.from(content, 'base64'),
  }));

async function receive(socket: Socket, letters: Letter[]): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to: string[] = [];
  let letter: string[] | undefined;
  say('220 ready');
  for await (const line of createInterface({ input: socket })) {
    if (letter !== undefined && line !== '.') letter.push(line);
    else if (letter !== undefined) {
      const source = letter.join('\r\n');
      letters.push({ to, source, attachments: attachmentsOf(source) });
      [to, letter] = [[], undefined];
      say('250 kept');
    } else if (line === 'DATA') {
      letter = [];
      say('354 go on');
    } else if (line === 'QUIT') socket.end('221 bye\r\n');
    else {
      const [, address] = /^RCPT TO:<([^>]+)>/u.exec(line) ?? [];
      if (address !== undefined) to.push(address);
      say('250 fine');
    }
  }
}

export async function startMailCatcher(): Promise<MailCatcher> {
  const letters: Letter[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    receive(socket, letters).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    letters,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
