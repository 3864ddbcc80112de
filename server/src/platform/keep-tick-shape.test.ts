import { keepTickShape } from './keep-tick-shape.js';

test('what is kept is the object of a tick', async () => {
  expect(await keepTickShape()).toHaveProperty('callback');
});
