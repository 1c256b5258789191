/** Which stays make one episode of care, such as ED, hospital and skilled nursing facility. */

import { isDeathDisposition } from '#contract/dispositions.ts';
import type { Setting } from '#contract/event-codes.ts';
import { hasHappened, type RuleVisit, startOf } from './rule-visit.ts';
import { compare, daysBetween, isSentOn, leadsTo, steppedDownFrom } from './transfers.ts';

/** Settings in which a patient spends the night, without those where people live or are visited at home. */
const STAYS = new Set<Setting>(['EMERGENCY', 'OBSERVATION', 'INPATIENT', 'SNF', 'LTAC', 'REHAB', 'HOSPICE']);

/**
 * Returns the episode of each visit, by the visit's id: the stays that follow each other without a night at home, the earliest first. A stay
 * continues one that ended on the day on which it began, or after midnight, or that announced it by its disposition or is named by its admission
 * source (PV1-36, PV1-14), or it is what the account of an ED or observation visit at the same hospital led to. A visit that is no stay, was
 * retracted, or has no time is alone.
 */
export function episodesOf(visits: readonly RuleVisit[]): Map<string, RuleVisit[]> {
  const stays = visits.filter(isStay).sort((a, b) => begin(a) - begin(b) || compare(a.id, b.id));
  const episodes: RuleVisit[][] = [];
  for (const stay of stays) {
    const before = episodes.findLast((episode) => episode.some((earlier) => isContinued(earlier, stay)));
    if (before) before.push(stay);
    else episodes.push([stay]);
  }
  return new Map([
    ...visits.map((visit): [string, RuleVisit[]] => [visit.id, [visit]]),
    ...episodes.flatMap((episode) => episode.map(({ id }): [string, RuleVisit[]] => [id, episode])),
  ]);
}

const begin = (visit: RuleVisit): number => startOf(visit) ?? 0;
const isStay = (visit: RuleVisit): boolean => STAYS.has(visit.setting) && hasHappened(visit) && startOf(visit) !== null;

function isContinued(before: RuleVisit, stay: RuleVisit): boolean {
  if (leadsTo(before, stay)) return true;
  if (before.dischargedAt === null || isDeathDisposition(before.disposition)) return false;
  const gap = daysBetween(before.dischargedAt, before, begin(stay), stay);
  if (gap === 0 || gap === -1) return true;
  return isSentOn(before, stay) || steppedDownFrom(stay, [before]) !== null;
}
