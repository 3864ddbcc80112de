import type { NearestPostcode } from '@signpost/contract';
import { distanceWords } from '../map/distance-words.js';

/** The nearest postcodes with the numbers that they have on the map. */
export function NearestTable({ results }: { readonly results: readonly NearestPostcode[] }) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="The nearest active postcodes">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              No.
            </th>
            <th scope="col">Postcode</th>
            <th scope="col" class="number">
              Distance
            </th>
            <th scope="col">Ward</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ postcode, distanceMetres, ward }, index) => (
            <tr key={postcode}>
              <td class="number">{index + 1}</td>
              <th scope="row" class="nowrap">
                {postcode}
              </th>
              <td class="number nowrap">{distanceWords(distanceMetres)}</td>
              <td>{ward ?? <span class="muted">not known</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
