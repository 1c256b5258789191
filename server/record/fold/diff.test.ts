import { describe, expect, it } from 'vitest';
import { fact, HOSPITAL } from '#server/testing/facts.ts';
import { diffEvents, type StoredEvent } from './diff.ts';
import type { Fact } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';

const eventsOf = (...facts: Fact[]) => foldVisit(facts, HOSPITAL).events;
const store = (events: ReturnType<typeof eventsOf>, state: StoredEvent['state'] = 'ACTIVE'): StoredEvent[] =>
  events.map((event, i) => ({ ...event, id: String(i + 1), state }));

const admit = fact('A01', '08:00', { class: 'INPATIENT' });
const discharge = fact('A03', '10:00', { disposition: '01' });
const later = fact('A03', '10:20', { disposition: '01' });
const cancel = fact('A13', '10:10');

const summary = (stored: StoredEvent[], folded: ReturnType<typeof eventsOf>) => {
  const { insert, amend, cancel: canceled, revive, unchanged } = diffEvents(stored, folded);
  return {
    insert: insert.map(({ key }) => key),
    amend: amend.map((pair) => `${pair.stored.key} → ${pair.folded.key}`),
    cancel: canceled.map(({ key }) => key),
    revive: revive.map((pair) => pair.folded.key),
    unchanged: unchanged.map(({ key }) => key),
  };
};
const NOTHING = { insert: [], amend: [], cancel: [], revive: [], unchanged: [] };
const ADMIT = 'ADMIT@2026-03-01T08:00#1';
const DISCHARGE = 'DISCHARGE@2026-03-01T10:00#1';

describe('diffEvents', () => {
  it('inserts new events and leaves unchanged ones alone', () => {
    const folded = eventsOf(admit, discharge);
    expect(summary(store(eventsOf(admit)), folded)).toEqual({ ...NOTHING, insert: [DISCHARGE], unchanged: [ADMIT] });
    expect(summary(store(folded), folded)).toEqual({ ...NOTHING, unchanged: [ADMIT, DISCHARGE] });
  });

  it('amends an event whose details changed, keeping its key', () => {
    const folded = eventsOf(admit, discharge, fact('A08', '11:00', { disposition: '03' }));
    const amended = summary(store(eventsOf(admit, discharge)), folded);
    expect(amended).toEqual({ ...NOTHING, amend: [`${DISCHARGE} → ${DISCHARGE}`], unchanged: [ADMIT] });
  });

  it('amends an event whose time changed instead of creating a new one', () => {
    const moved = summary(store(eventsOf(admit, discharge)), eventsOf(admit, later));
    expect(moved).toEqual({ ...NOTHING, amend: [`${DISCHARGE} → DISCHARGE@2026-03-01T10:20#1`], unchanged: [ADMIT] });
  });

  it('cancels an event that the facts no longer give, and revives it when they give it again', () => {
    const open = eventsOf(admit, discharge, cancel);
    expect(summary(store(eventsOf(admit, discharge)), open)).toEqual({
      ...NOTHING,
      cancel: [DISCHARGE],
      unchanged: [ADMIT],
    });
    const [first, second] = store(eventsOf(admit, discharge));
    if (!first || !second) throw new Error('Expected two events');
    const stored: StoredEvent[] = [first, { ...second, state: 'CANCELLED' }];
    expect(summary(stored, open)).toEqual({ ...NOTHING, unchanged: [ADMIT, DISCHARGE] });
    expect(summary(stored, eventsOf(admit, discharge))).toEqual({
      ...NOTHING,
      revive: [DISCHARGE],
      unchanged: [ADMIT],
    });
  });

  it('never amends a canceled event, nor one with another code', () => {
    const canceled = store(eventsOf(discharge), 'CANCELLED');
    expect(summary(canceled, eventsOf(later)).insert).toEqual(['DISCHARGE@2026-03-01T10:20#1']);
    const died = eventsOf(fact('A03', '10:00', { disposition: '20' }));
    expect(summary(store(eventsOf(discharge)), died)).toMatchObject({
      cancel: [DISCHARGE],
      insert: ['DECEASED@2026-03-01T10:00#1'],
    });
  });
});
