import { EndpointProblem } from './endpoint-problem.js';

/** The result of what a browser is asked for; throws an EndpointProblem where there is none after so long. */
export async function withinTime<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  what: string,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () =>
      reject(new EndpointProblem('it does not answer', `${what} took more than ${timeoutMs} ms`));
    timer = setTimeout(fail, timeoutMs).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
