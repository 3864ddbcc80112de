import { ProtocolConnection } from './connection.js';
import { MessageSplitter } from './pipe-transport.js';
import type { TransportListener } from './transport.js';

/** A connection to a browser that says what the test has it say. */
function connected() {
  const sent: string[] = [];
  let browser: TransportListener | undefined;
  let isClosed = false;
  const connection = new ProtocolConnection({
    listen: (listener) => (browser = listener),
    send: (message) => void sent.push(message),
    close: () => {
      isClosed = true;
      browser?.onClose();
    },
  });
  const say = (message: object | string) =>
    browser?.onMessage(typeof message === 'string' ? message : JSON.stringify(message));
  return {
    connection,
    sent,
    say,
    tooLong: (head: string) => browser?.onTooLong(head),
    isClosed: () => isClosed,
  };
}

const attach = { method: 'Target.attachedToTarget', params: { sessionId: 'S' } };

test('an answer goes to who asked, whatever the order', async () => {
  const { connection, sent, say } = connected();
  say(attach);
  const version = connection.root.send('Browser.getVersion');
  const tree = connection.session('S').send('Page.navigate', { url: 'about:blank' });
  say({ id: 2, sessionId: 'S', result: { frameId: 'F' } });
  say({ id: 1, result: { product: 'Chromium/1' } });

  expect(await version).toEqual({ product: 'Chromium/1' });
  expect(await tree).toEqual({ frameId: 'F' });
  expect(sent.map((message): unknown => JSON.parse(message))).toEqual([
    { id: 1, method: 'Browser.getVersion' },
    { id: 2, sessionId: 'S', method: 'Page.navigate', params: { url: 'about:blank' } },
  ]);
});

test('a refusal names the command', async () => {
  const { connection, say } = connected();
  const asked = connection.root.send('Browser.getVersion');
  say({ id: 1, error: { code: -1, message: 'Not now' } });

  await expect(asked).rejects.toThrow('Browser.getVersion: Not now');
});

test('an event is heard by its own session alone', () => {
  const { connection, say } = connected();
  const heard: string[] = [];
  say(attach);
  connection.root.on('Inspector.targetCrashed', () => heard.push('browser'));
  connection.session('S').on('Inspector.targetCrashed', () => heard.push('page'));
  say({ method: 'Inspector.targetCrashed', sessionId: 'S', params: {} });
  say({ method: 'Inspector.targetCrashed', sessionId: 'unknown', params: {} });

  expect(heard).toEqual(['page']);
});

test('what a page was asked fails when the page is closed, at once and later, and the browser answers on', async () => {
  const { connection, say } = connected();
  say(attach);
  const session = connection.session('S');
  const asked = session.send('Page.enable');
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } });

  await expect(asked).rejects.toThrow('Page.enable: what was asked is closed');
  await expect(session.send('Page.enable')).rejects.toThrow('closed');
  await expect(connection.session('S').send('Page.enable')).rejects.toThrow('closed');
  expect(connection.isOpen).toBe(true);
});

test('everything under way fails when the connection ends', async () => {
  const { connection, say } = connected();
  say(attach);
  const all = [connection.root.send('Browser.getVersion'), connection.session('S').send('Page.enable')];
  connection.close();
  await connection.closed;

  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(connection.isOpen).toBe(false);
});

test('an answer that is too long fails what was asked, and nothing else', async () => {
  const { connection, say, tooLong } = connected();
  const [long, short] = [
    connection.root.send('Browser.getVersion'),
    connection.root.send('Browser.getVersion'),
  ];
  tooLong('{"id":1,"result":{"data":"iVBO');
  say({ id: 2, result: {} });

  await expect(long).rejects.toThrow('Browser.getVersion: the answer is too long');
  expect(await short).toEqual({});
});

test.each(['no JSON', '[]', '{"method":1}'])('who says %s is no browser: the connection ends', (words) => {
  const { say, isClosed } = connected();
  say(words);

  expect(isClosed()).toBe(true);
});

test('messages are cut at each zero byte, however they come; one that is too long is let pass by', () => {
  const heard: string[] = [];
  const splitter = new MessageSplitter(
    { onMessage: (message) => heard.push(message), onTooLong: (head) => heard.push(`too long: ${head}`) },
    5,
  );
  for (const part of ['a', 'b\0c\0', '\0', '123', '456', '789\0d', '\0']) splitter.push(Buffer.from(part));

  expect(heard).toEqual(['ab', 'c', '', 'too long: 123456', 'd']);
});
