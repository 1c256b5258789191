import { DEFAULT_RISING_RISK_RULE, type RisingRiskRule } from '#contract/rising-risk-words.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { FEDERAL_HOLIDAYS, type Holidays } from '#server/platform/calendar/business-days.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Program } from '#server/record/rules/hl7-programs.ts';
import { programsOf } from './programs.ts';

interface Row extends Holidays {
  risk: RisingRiskRule | null;
  programs: Program[] | null;
}

/** What the acting team's organization has decided about its patients' records. */
export interface OrganizationRules {
  holidays: Holidays;
  riskRule: RisingRiskRule;
  /** The organization has not chosen its own rule of rising risk. */
  isDefaultRisk: boolean;
  /** Its HL7-based programs. */
  programs: readonly Program[];
}

/** Returns the rules of the acting team's organization, and the product's own where it has set none. */
export async function organizationRules(tx: ActorTransaction): Promise<OrganizationRules> {
  const { rows } = await tx.query<Row>(sql`
    select o.added_holidays as added, o.removed_holidays as removed, o.rising_risk_rule as risk, (${programsOf(sql`o.id`)}) as programs
    from organizations o where o.id = ${tx.actor.organizationId}`);
  const { risk, programs, ...holidays } = rows[0] ?? { ...FEDERAL_HOLIDAYS, risk: null, programs: null };
  return {
    holidays,
    riskRule: risk ?? DEFAULT_RISING_RISK_RULE,
    isDefaultRisk: risk === null,
    programs: programs ?? [],
  };
}
