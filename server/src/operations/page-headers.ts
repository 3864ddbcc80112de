import type { Pdf, Screenshot } from '../capture/capture-service.js';

/** What the headers of a captured file say of its page. */
export const pageHeaders = ({ pageStatus, pageUrl, pageTitle, isComplete }: Screenshot | Pdf) => ({
  'X-Page-Status': pageStatus,
  'X-Page-Url': pageUrl,
  'X-Page-Title': encodeURIComponent(pageTitle),
  'X-Capture-Complete': String(isComplete),
});
