/**
 * The fold: the facts of one dossier → visits with state and events. It uses no clock and no order of arrival, so the same facts always
 * give the same result. Stage one groups the facts into visits (`visit-grouping.ts`, `separate-stays.ts`), stage two folds each visit (`fold-visit.ts`).
 */
import { admittedUnderAnotherNumber } from './admitted-under-another-number.ts';
import { visitsRepeatingDeath } from './death.ts';
import { withDeathStatements, withMessagesNamed } from './death-statements.ts';
import {
  asDeathOnly,
  deathAsVisit,
  deathsDuringStays,
  deathsWithoutVisit,
  withoutLaterDeaths,
} from './deaths-without-visit.ts';
import type { FacilityFacts, Fact } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';
import type { FacilityVisit, FoldedEvent, FoldedVisit } from './folded-visit.ts';
import { isLinkReport, withLinkReports } from './link-reports.ts';
import { type Stay, separateStays } from './separate-stays.ts';
import { factsElsewhere } from './shared-stays.ts';
import { groupIntoVisits, type VisitGroup } from './visit-grouping.ts';
import { mergesOrMoves } from './visit-identifiers.ts';

/** Returns the visits of one dossier, ordered by facility and key; last, deaths outside any visit as records of their own. */
export function foldFacilities(given: readonly FacilityFacts[]): FacilityVisit[] {
  const parts = given.map((part) => ({ ...part, facts: withDeathStatements(part.facts) }));
  const groups = parts.flatMap(({ groupId, facility, facts }) =>
    groupIntoVisits(facts.filter(concernsVisits)).map((group) => ({ groupId, facility, group })),
  );
  const elsewhereOf = parts.length > 1 ? factsElsewhere(groups) : new Map<VisitGroup, Fact[]>();
  const stays = groups.flatMap((each) => separateStays(each, elsewhereOf.get(each.group) ?? []));
  const fold = (
    { groupId, facility, group, elsewhere, earlierEnd, nextAdmission }: Stay,
    { reportsDeath = true, deaths = [] }: FoldOptions = {},
  ): FacilityVisit => {
    const { facts, ...identity } = group;
    const own = facts.filter((fact) => !fact.sentElsewhere);
    const visit = foldVisit([...own, ...deaths, ...elsewhere], facility, {
      reportsDeath,
      earlierEnd,
      nextAdmission,
    });
    for (const { id, sentElsewhere } of deaths) if (sentElsewhere) visit.outcomes.delete(id);
    return { groupId, ...identity, ...visit, factIds: own.map((fact) => fact.id) };
  };
  const visits: FacilityVisit[] = stays.map((each) => {
    const visit = fold(each);
    const facts = withoutLaterDeaths(each.group, visit);
    if (facts.length === each.group.facts.length) return visit;
    each.group.facts = facts;
    return fold(each);
  });
  for (const { groupId, facility, facts } of parts) {
    const own = () => visits.filter((visit) => visit.groupId === groupId);
    const during = deathsDuringStays(own(), facts);
    const again = ({ key }: FoldedVisit, { reportsDeath, deaths = [] }: FoldOptions) => {
      const index = visits.findIndex((visit) => visit.groupId === groupId && visit.key === key);
      const reported = [...deaths, ...(during.get(key) ?? [])];
      const folded = fold(stays[index] as Stay, { reportsDeath, deaths: reported });
      visits[index] = folded;
      return folded.events.some(isDeath);
    };
    const stayOf = (visit: FacilityVisit) => stays[visits.indexOf(visit)] as Stay;
    for (const [visit, at] of admittedUnderAnotherNumber(own(), (visit) => stayOf(visit).group.facts)) {
      stayOf(visit).nextAdmission = at;
      again(visit, {});
    }
    for (const visit of own()) if (during.has(visit.key)) again(visit, {});
    const repeating = visitsRepeatingDeath(own(), facts);
    const deaths = deathsWithoutVisit(own(), facts);
    for (const visit of repeating) again(visit, { reportsDeath: false });
    for (const death of deaths) {
      leaveCanceled(own(), death.facts);
      if (death.visit && again(death.visit, { deaths: death.facts.map(withoutVisit) })) continue;
      if (death.visit) again(death.visit, {});
      const group = deathAsVisit(death);
      visits.push(asDeathOnly(fold({ groupId, facility, group, elsewhere: [], earlierEnd: null })));
    }
  }
  return withLinkReports(withMessagesNamed(visits), given);
}

/** What another facility sent changes the identifiers of visits here, but is in none of them. */
const concernsVisits = (fact: Fact): boolean => !isLinkReport(fact) && (!fact.sentElsewhere || mergesOrMoves(fact.adt));

/** A death that was put with a canceled visit by its time belongs elsewhere. */
function leaveCanceled(visits: readonly FacilityVisit[], deaths: readonly Fact[]): void {
  const ids = new Set(deaths.map(({ id }) => id));
  for (const visit of visits.filter(({ state }) => state.status === 'CANCELLED')) {
    visit.factIds = visit.factIds.filter((id) => !ids.has(id));
    for (const id of ids) visit.outcomes.delete(id);
  }
}

/** A death belongs to the visit, but what else the message says is about another one. */
const withoutVisit = (fact: Fact): Fact => ({ ...fact, adt: { ...fact.adt, visit: null } });

const isDeath = ({ code }: FoldedEvent): boolean => code === 'DECEASED';

interface FoldOptions {
  reportsDeath?: boolean | undefined;
  /** Reports of the patient's death outside any visit that belong to this one. */
  deaths?: Fact[];
}
