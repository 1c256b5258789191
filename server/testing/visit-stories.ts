/** Stories for tests of the fold: the messages of one visit, and the status and events they must lead to. */
import { expect, it } from 'vitest';
import type { Fact, FoldFacility } from '#server/record/fold/fold-input.ts';
import { foldVisit } from '#server/record/fold/fold-visit.ts';
import type { VisitFold } from '#server/record/fold/folded-visit.ts';
import { fact, HOSPITAL } from './facts.ts';

export const admit = fact('A01', '08:00', { class: 'INPATIENT', admitted: '08:00', unit: '4W', room: '1' });
export const present = fact('A04', '08:00', { class: 'EMERGENCY', admitted: '08:00', unit: 'ED' });
export const discharge = fact('A03', '10:00', { class: 'INPATIENT', discharged: '10:00', disposition: '01' });

/** An event that staff entered with a day only. */
export const manualEntry = (manual: Fact['manualCode'], day: string): Fact =>
  fact('MANUAL', day, { manual, occurred: day, sent: '9 12:00', recorded: '9 12:00' });

/** The events of a visit as 'ADMIT INPATIENT 01 08:00'. */
export const eventsOf = ({ events }: VisitFold): string[] =>
  events.map(({ code, at, setting }) => `${code} ${setting} ${at.instant.slice(8, 16).replace('T', ' ')}`);

/** `facility`: a hospital by default. */
export type Story = [title: string, facts: Fact[], status: string, events: string[], facility?: FoldFacility];

/** Registers a test for each story. */
export function testStories(stories: Story[]): void {
  it.each(stories)('%s', (_title, facts, status, events, facility = HOSPITAL) => {
    const visit = foldVisit(facts, facility);
    expect({ status: visit.state.status, events: eventsOf(visit) }).toEqual({ status, events });
    expect([...visit.outcomes.keys()].sort()).toEqual(facts.map(({ id }) => id).sort());
    expect([...visit.outcomes.values()]).not.toContain('');
  });
}
