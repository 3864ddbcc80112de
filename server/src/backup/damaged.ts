import { ServiceError } from '../service-error.js';

export const notABackup = (path: string, cause?: unknown) =>
  new ServiceError('invalidRequest', `${path} is not a backup of Signpost, or only the first bytes of one.`, {
    cause,
  });

export const cutOff = (path: string, cause?: unknown) =>
  new ServiceError(
    'invalidRequest',
    `The backup ${path} is cut off: its end is missing. Use another copy of it, or another backup.`,
    { cause },
  );

export const changed = (path: string, cause?: unknown) =>
  new ServiceError(
    'invalidRequest',
    `The backup ${path} was changed after it was written, or its disk is damaged. Use another copy of it, or another ` +
      'backup.',
    { cause },
  );
