import { operations } from '@signpost/contract';
import { nullWords } from './null-words.js';

test("says in words what null means in a response field, following the field's description", () => {
  const read = nullWords(operations.readPage);
  expect(read.get('nextOffset')).toBe('none: this is all');
  expect(read.get('links')).toBe('none unless they were requested');
  expect(read.get('author')).toBe('none: the page does not say');
  expect(nullWords(operations.lookupPostcode).get('constituency')).toBe('none');
  expect(nullWords(operations.measureDistance).get('results')).toBe(
    'none: the directory does not know where it is',
  );
});
