import { ProtocolConnection } from './connection.js';
import { MessageSplitter } from './pipe-transport.js';
import type { TransportListener } from './transport.js';

/** Connects to a fake browser, which sends what the test passes to `say` and `tooLong`. */
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
    tooLong: (head: string, tail = '') => browser?.onTooLong(head, tail),
    isClosed: () => isClosed,
  };
}

const attach = { method: 'Target.attachedToTarget', params: { sessionId: 'S' } };

test('rejects a command that is longer than a browser accepts, and does not send it', async () => {
  const { connection, sent } = connected();
  const expression = 'x'.repeat(100 * 1_048_576);
  await expect(connection.root.send('Runtime.evaluate', { expression })).rejects.toThrow(/longer than/u);
  expect(sent).toEqual([]);
});

test('replies reach their callers even if they arrive in reverse order', async () => {
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

test('the error of a command that the browser rejects names the command', async () => {
  const { connection, say } = connected();
  const asked = connection.root.send('Browser.getVersion');
  say({ id: 1, error: { code: -1, message: 'Not now' } });

  await expect(asked).rejects.toThrow('Browser.getVersion: Not now');
});

test('an event reaches only its own session', () => {
  const { connection, say } = connected();
  const heard: string[] = [];
  say(attach);
  connection.root.on('Inspector.targetCrashed', () => heard.push('browser'));
  connection.session('S').on('Inspector.targetCrashed', () => heard.push('page'));
  say({ method: 'Inspector.targetCrashed', sessionId: 'S', params: {} });
  say({ method: 'Inspector.targetCrashed', sessionId: 'unknown', params: {} });

  expect(heard).toEqual(['page']);
});

test('commands to a closed page fail, both running and later ones, and the connection stays open', async () => {
  const { connection, say } = connected();
  say(attach);
  const session = connection.session('S');
  const asked = session.send('Page.enable');
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } });

  await expect(asked).rejects.toThrow('Page.enable: the session is closed');
  await expect(session.send('Page.enable')).rejects.toThrow('closed');
  await expect(connection.session('S').send('Page.enable')).rejects.toThrow('closed');
  expect(connection.isOpen).toBe(true);
});

test('all running commands fail when the connection ends', async () => {
  const { connection, say } = connected();
  say(attach);
  const all = [connection.root.send('Browser.getVersion'), connection.session('S').send('Page.enable')];
  connection.close();
  await connection.closed;

  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(connection.isOpen).toBe(false);
});

test('a reply that is too long fails only its own command', async () => {
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

test.each(['no JSON', '[]', '{"method":1}'])(
  'a program that sends %s is not a browser, so the connection ends',
  (words) => {
    const { say, isClosed } = connected();
    say(words);

    expect(isClosed()).toBe(true);
  },
);

const attachChild = (sessionId: string, to?: string) => ({
  method: 'Target.attachedToTarget',
  params: { sessionId },
  ...(to === undefined ? {} : { sessionId: to }),
});
/** An event of a session in the form in which browsers write it, with this many bytes. */
const eventOf = (sessionId: string, bytes: number) => {
  const event = (text: string) =>
    JSON.stringify({ method: 'Page.frameNavigated', params: { text }, sessionId });
  return event('x'.repeat(bytes - event('').length));
};

test('after an event that is too long, ignores further events of its page, but not of other pages', () => {
  const { connection, say, tooLong } = connected();
  const heard: string[] = [];
  for (const id of ['S', 'T']) {
    say(attachChild(id));
    connection.session(id).events.onExhausted(() => heard.push(`${id} is exhausted`));
    connection.session(id).on('Page.frameNavigated', () => heard.push(id));
  }
  tooLong('{"method":"Fetch.requestPaused","params":{"requ', '"},"sessionId":"S"}');
  for (const id of ['S', 'T']) say(eventOf(id, 100));
  // The reply to a command is still read.
  const reply = connection.session('S').send('Page.navigate', { url: 'about:blank' });
  say({ id: 1, result: {}, sessionId: 'S' });

  expect(heard).toEqual(['S is exhausted', 'T']);
  return expect(reply).resolves.toEqual({});
});

test('parses at most 32 MB of events of a page, including those of a worker in its frame', () => {
  const { connection, say } = connected();
  const heard: string[] = [];
  say(attachChild('S'));
  say(attachChild('frame', 'S'));
  say(attachChild('worker', 'frame'));
  const { events } = connection.session('S');
  events.onExhausted(() => heard.push('exhausted'));
  connection.session('worker').on('Page.frameNavigated', () => heard.push('read'));
  for (let count = 0; count < 11; count += 1) say(eventOf('worker', 3_000_000));

  expect(heard).toEqual([...Array.from({ length: 10 }, () => 'read'), 'exhausted']);
  events.onExhausted(() => heard.push('still'));
  expect(heard.at(-1)).toBe('still');
});

test('an event that is too long counts for its own session, even if its text names another one', () => {
  const { connection, say, tooLong } = connected();
  const heard: string[] = [];
  for (const id of ['S', 'T']) {
    say(attachChild(id));
    connection.session(id).events.onExhausted(() => heard.push(id));
  }
  const made = JSON.stringify({
    method: 'Page.frameNavigated',
    params: { text: ',"sessionId":"S"}' },
    sessionId: 'T',
  });
  tooLong(made.slice(0, 60), made.slice(-60));

  expect(heard).toEqual(['T']);
});

test('the sessions of a page end with it, even if their own end events were not parsed', async () => {
  const { connection, say } = connected();
  say(attachChild('S'));
  say(attachChild('frame', 'S'));
  const session = connection.session('frame');
  connection.session('S').events.exhaust();
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } });

  await expect(session.send('Page.enable')).rejects.toThrow('closed');
});

const split = (text: string) => text.match(/./gu) ?? [];
/**
 * Returns a function that pushes parts to a splitter, which allows 15 bytes for an event and 30 for a reply, and
 * returns all that the splitter has passed on.
 */
function splitting() {
  const heard: string[] = [];
  const splitter = new MessageSplitter(
    {
      onMessage: (message) => heard.push(message),
      onTooLong: (head, tail) => heard.push(`too long: ${head}…${tail}`),
    },
    { eventBytes: 15, replyBytes: 30 },
  );
  const push = (...parts: readonly string[]) => {
    for (const part of parts) splitter.push(Buffer.from(part));
    return heard;
  };
  return push;
}

test('splits messages at each zero byte, even if a message arrives in two chunks', () => {
  expect(splitting()('a', 'b\0c\0', '\0', 'd\0')).toEqual(['ab', 'c', '', 'd']);
});

test('passes on only the beginning and the end of a message that is too long; the maximum is lower for events than for replies', () => {
  const event = '{"method":"E","params":1}';
  const reply = '{"id":1,"result":"0123456789"}';
  expect(splitting()(`${event}\0`, `${reply}\0`, 'next\0')).toEqual([
    `too long: ${event}…${event}`,
    reply,
    'next',
  ]);
  expect(splitting()(...split(reply), '1\0', ...split(event), 'x'.repeat(300), '!\0next\0')).toEqual([
    `too long: ${reply}1…${reply}1`,
    `too long: ${event.slice(0, 16)}…${'x'.repeat(199)}!`,
    'next',
  ]);
});
