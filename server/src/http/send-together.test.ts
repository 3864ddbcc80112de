import { sendTogether } from './send-json.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('what one turn makes is sent in its order once the turn is over, and what comes later after it', async () => {
  const sent: string[] = [];
  const sender = (name: string) => ({ send: (answer: string) => sent.push(`${name} ${answer}`) });
  const send = sendTogether();
  send(sender('one'), 'first');
  await Promise.resolve();
  send(sender('two'), 'second');
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual(['one first', 'two second']);
  send(sender('one'), 'third');
  await nextTurn();
  expect(sent).toEqual(['one first', 'two second', 'one third']);
});
