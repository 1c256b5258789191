import { decide } from '#server/record/scoring/decide.ts';
import { normalize } from '#server/record/scoring/demographics.ts';
import { ListingIndex } from './listing-index.ts';
import { relationOf } from './person.ts';
import { Tally, type WorldResult } from './tally.ts';
import { World, type WorldOptions } from './world.ts';

/** How far a run is: called after each 10,000 people. */
export type Progress = (step: 'listed' | 'decided', people: number) => void;

const EACH = 10_000;

/**
 * Measures the matcher on several worlds of the same size: lists half of the people of each, then decides who every person of the world
 * is. The counts of all worlds are added up; world number n has the seed `seed + n`.
 */
export function evaluateWorlds(
  { people, seed, runs }: WorldOptions & { runs: number },
  progress: Progress = () => {},
): WorldResult {
  const tally = new Tally();
  for (let run = 0; run < runs; run++) evaluateWorld(new World({ people, seed: seed + run }), tally, progress);
  return tally.result();
}

function evaluateWorld(world: World, tally: Tally, progress: Progress): void {
  const index = new ListingIndex();
  for (const family of world.families()) {
    for (const person of family) {
      if (!world.isListed(person)) continue;
      index.add(person.id, normalize(world.rosterRecord(person)));
      if (index.size % EACH === 0) progress('listed', index.size);
    }
  }
  tally.addList(index.size);
  const snapshot = index.snapshot();
  let decided = 0;
  for (const family of world.families()) {
    for (const person of family) {
      const subject = normalize(world.hospitalRecord(person));
      const known = { personId: person.id, isListed: world.isListed(person) };
      const decision = decide(subject, index.candidates(subject), { snapshot });
      tally.add(decision, known, (personId) => relationOf(person, world.person(personId)));
      if (++decided % EACH === 0) progress('decided', decided);
    }
  }
}
