import type { ReturnUrl } from '../../../tokens/return-urls.js';
import { Moment } from '../../layout/moment.js';
import { removePath } from './return-url-paths.js';

/** Registered addresses, one a row. */
export function ReturnUrlTable({ returnUrls }: { readonly returnUrls: readonly ReturnUrl[] }) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="Return URLs">
      <table aria-label="Return URLs">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Address</th>
            <th scope="col">Since</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {returnUrls.map(({ url, name, createdAtMs }) => (
            <tr key={url}>
              <th scope="row" class="operator-owner">
                {name}
              </th>
              <td class="operator-address">
                <code>{url}</code>
              </td>
              <td class="nowrap">
                <Moment timeMs={createdAtMs} />
              </td>
              <td>
                <a class="button small" href={removePath(url)}>
                  Remove<span class="visually-hidden"> {url}</span>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
