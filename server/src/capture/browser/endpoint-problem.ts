/** Why a browser, mostly one elsewhere, is not used; the message follows its name and a colon. */
export class EndpointProblem extends Error {
  constructor(
    message: string,
    /** For the log: what the other side said, without its address. */
    readonly detail?: string,
  ) {
    super(message);
    this.name = 'EndpointProblem';
  }
}
