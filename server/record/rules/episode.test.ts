import { expect, test } from 'vitest';
import { visit } from '#server/testing/rule-visits.ts';
import { episodesOf } from './episode.ts';
import type { RuleVisit } from './rule-visit.ts';

const ids = (of: RuleVisit, visits: RuleVisit[]) =>
  episodesOf(visits)
    .get(of.id)
    ?.map(({ id }) => id);

test('an episode is the ED visit, the stay and the skilled nursing that follow each other on the same day', () => {
  const emergency = visit('EMERGENCY', 20, 19.9);
  const stay = visit('INPATIENT', 19.9, 15, { facilityId: 'other' });
  const nursing = visit('SNF', 14.9, null, { facilityId: 'oak' });
  const visits = [nursing, emergency, stay];
  for (const each of visits) expect(ids(each, visits)).toEqual([emergency.id, stay.id, nursing.id]);
});

test.each<[string, RuleVisit, RuleVisit]>([
  ['a night at home', visit('INPATIENT', 20, 15), visit('INPATIENT', 14, 12)],
  ['an unknown end', visit('INPATIENT', 20, 19, { dischargedAt: null }), visit('SNF', 19, 12)],
  ['a death', visit('INPATIENT', 20, 15, { disposition: '20' }), visit('SNF', 15, 12)],
  ['home health', visit('INPATIENT', 20, 15), visit('HHA', 15, 5)],
  ['a retracted stay', visit('INPATIENT', 20, 15, { status: 'CANCELLED' }), visit('SNF', 15, 12)],
])('%s ends an episode', (_, before, after) => {
  expect(ids(after, [before, after])).toEqual([after.id]);
  expect(ids(before, [before, after])).toEqual([before.id]);
});

test('a transfer by the next day continues an episode, and a discharge that was entered after midnight does', () => {
  const sent = visit('INPATIENT', 20, 15, { disposition: '02' });
  const received = visit('INPATIENT', 14.2, 12, { facilityId: 'other', admitSource: '4' });
  expect(ids(received, [sent, received])).toEqual([sent.id, received.id]);
  const late = visit('EMERGENCY', 10, 8.9);
  const next = visit('INPATIENT', 9.6, 7);
  expect(ids(next, [late, next])).toEqual([late.id, next.id]);
});

test('an account in the ED continues in the stay that it led to at the same hospital, with or without a discharge', () => {
  const stay = visit('INPATIENT', 19.9, 15);
  const admitted = visit('EMERGENCY', 20, 19.9, { disposition: '09', dischargedAt: null });
  expect(ids(stay, [admitted, stay])).toEqual([admitted.id, stay.id]);
  const open = visit('EMERGENCY', 20, null);
  expect(ids(stay, [open, stay])).toEqual([open.id, stay.id]);
  const elsewhere = visit('INPATIENT', 19.9, 15, { facilityId: 'other' });
  expect(ids(elsewhere, [open, elsewhere])).toEqual([elsewhere.id]);
});
