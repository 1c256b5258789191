import { expect, it } from 'vitest';
import { FACET_NAMES } from '#contract/facets.ts';
import { routes } from '#contract/routes.ts';
import { shapeOf } from './warm-up.ts';

it('includes patients, their pings, and the values of every facet', () => {
  const shape = shapeOf(routes['POST /api/patients/search'].answer);
  expect(shape).toMatchObject({
    patients: [{ listings: [{}], programs: [{ name: '' }], currentPing: {}, currentPingEncounter: {} }],
    total: 0,
    facets: Object.fromEntries(
      FACET_NAMES.map((facet) => [facet, { options: [{ value: '', count: 0, typeaheadEnabled: false }] }]),
    ),
  });
});
