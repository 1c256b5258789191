import type { InsurancePlanDetails } from '#contract/cohorts.ts';
import type { Payer } from '#server/intake/hl7/adt-facts.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { derivedId } from '#server/work/patients/derived-id.ts';
import type { ListingRow, VisitRow } from '#server/work/patients/queries.ts';

/**
 * Returns a patient's insurance: of the visit, or else of the latest visit that has any, in the order of its IN1 segments; then what rosters
 * list. `listings`: those whose insurance the actor may see. The first that is not canceled is `selected`.
 */
export function insurancePlansOf(
  listings: readonly ListingRow[],
  visits: readonly VisitRow[],
  visit: VisitRow | undefined,
): InsurancePlanDetails[] {
  const payers = visit?.state.payers.length ? visit.state.payers : latestPayers(visits);
  const listed = listings.flatMap((listing) => listing.insurance.map((name) => ({ listing, name })));
  const nameOf = new Map(listed.map(({ name }) => [sortKey(name), name]));
  const plans = [
    ...payers.flatMap((payer) => planOfVisit(payer, nameOf) ?? []),
    ...[...Map.groupBy(listed, ({ name }) => name).values()].map((same) => planOfRoster(same as [Listed, ...Listed[]])),
  ];
  const selected = plans.findIndex(({ canceled }) => !canceled);
  return plans.map((plan, at) => ({ ...plan, selected: at === selected, insurancePlanOrder: at + 1 }));
}

type Plan = Omit<InsurancePlanDetails, 'selected' | 'insurancePlanOrder'>;

interface Listed {
  listing: ListingRow;
  name: string;
}

function latestPayers(visits: readonly VisitRow[]): readonly Payer[] {
  const at = ({ state }: VisitRow) => state.admittedAt?.instant ?? '';
  const latest = visits.toSorted((a, b) => (at(a) < at(b) ? 1 : -1)).find(({ state }) => state.payers.length > 0);
  return latest?.state.payers ?? [];
}

/** `nameOf`: the insurances that rosters list, by their sort key. */
function planOfVisit(payer: Payer, nameOf: ReadonlyMap<string, string>): Plan | null {
  const { code, company, plan, memberId, planCode = null, type = null } = payer;
  const insuranceCompanyName = company ?? code ?? plan;
  if (insuranceCompanyName === null) return null;
  const value = [...new Set([insuranceCompanyName, plan])].filter(Boolean).join(' · ');
  return {
    id: derivedId('INSURANCE', '', value),
    value,
    insurerId: code,
    rosterPatientId: null,
    canceled: false,
    code: planCode,
    insuranceTranslatedName: nameOf.get(sortKey(insuranceCompanyName)) ?? insuranceCompanyName,
    insuranceCompanyName,
    insurancePlanName: plan,
    type,
    memberId,
  };
}

function planOfRoster(same: [Listed, ...Listed[]]): Plan {
  const { listing, name } = same.find((each) => each.listing.leftAt === null) ?? same[0];
  return {
    id: derivedId('INSURANCE', same[0].listing.organizationId, name),
    value: name,
    insurerId: null,
    rosterPatientId: listing.id,
    canceled: listing.leftAt !== null,
    code: null,
    insuranceTranslatedName: name,
    insuranceCompanyName: name,
    insurancePlanName: null,
    type: null,
    memberId: null,
  };
}
