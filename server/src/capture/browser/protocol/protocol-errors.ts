/** What the browser says of a command that it does not carry out. */
export class ProtocolError extends Error {
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'ProtocolError';
  }
}

/** There will be no answer: the page or the browser that was asked is gone. */
export class SessionClosed extends Error {
  constructor(method: string) {
    super(`${method}: what was asked is closed`);
    this.name = 'SessionClosed';
  }
}

/** The answer is longer than what is held in memory. */
export class AnswerTooLong extends Error {
  constructor(method: string) {
    super(`${method}: the answer is too long`);
    this.name = 'AnswerTooLong';
  }
}
