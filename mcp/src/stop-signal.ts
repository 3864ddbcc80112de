/** Resolves at the first signal to stop; a later one ends the process at once. */
export const stopSignal = (host: NodeJS.Process): Promise<void> =>
  new Promise((resolve) => {
    let isStopping = false;
    const onSignal = () => {
      if (isStopping) host.exit(1);
      isStopping = true;
      resolve();
    };
    host.on('SIGTERM', onSignal);
    host.on('SIGINT', onSignal);
  });
