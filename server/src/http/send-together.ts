/** What an answer is sent by. */
interface Sender<Answer> {
  send(answer: Answer): unknown;
}

/**
 * Sends the answers that one turn of the event loop makes right after one another, in their order, once all are made: a
 * reader that would sleep between them, such as a proxy on this machine, is woken once and not for each.
 */
export function sendTogether<Answer>(): (sender: Sender<Answer>, answer: Answer) => void {
  let waiting: (readonly [Sender<Answer>, Answer])[] = [];
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (const [sender, answer] of all) sender.send(answer);
  };
  return (sender, answer) => {
    if (waiting.push([sender, answer]) === 1) setImmediate(sendAll);
  };
}
