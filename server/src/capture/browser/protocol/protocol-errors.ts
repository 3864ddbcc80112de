/** The browser has rejected a command, or the command is longer than a browser accepts. */
export class ProtocolError extends Error {
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'ProtocolError';
  }
}

/** There will be no reply to a command, because its session has ended. */
export class SessionClosed extends Error {
  constructor(method: string) {
    super(`${method}: the session is closed`);
    this.name = 'SessionClosed';
  }
}

/** The reply is too long to be kept in memory. */
export class AnswerTooLong extends Error {
  constructor(method: string) {
    super(`${method}: the answer is too long`);
    this.name = 'AnswerTooLong';
  }
}
