import type { Key } from '../../../keys/key.js';
import { formFields } from '../../form-fields.js';
import type { Visit } from '../../pages.js';
import { pageCount, pagingAt, readPaging, type Paging } from '../paging.js';

const KEYS_PER_PAGE = 20;

/** Which live keys of an account a page shows. */
export interface PageOfKeys {
  readonly paging: Paging;
  readonly keys: readonly Key[];
}

/** The part of the keys with the one that was just changed or refused, or else the part that the query asks for. */
export function pageOfKeys({ request }: Visit, live: readonly Key[], refusedKeyId?: number): PageOfKeys {
  const { page, key } = formFields(request.query, ['page', 'key']);
  const wantedId = refusedKeyId === undefined ? key : String(refusedKeyId);
  const position = live.findIndex(({ id }) => String(id) === wantedId);
  const asked = position < 0 ? readPaging(page, KEYS_PER_PAGE) : pagingAt(position, KEYS_PER_PAGE);
  const lastPage = pageCount(live.length, asked);
  const paging = asked.page > lastPage ? readPaging(String(lastPage), KEYS_PER_PAGE) : asked;
  return { paging, keys: live.slice(paging.offset, paging.offset + paging.limit) };
}
