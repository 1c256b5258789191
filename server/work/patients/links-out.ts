/** Links of a patient to exchanges, as the user's organization has set them. The browser posts them as a form, so that nothing is in a URL. */
import { LINK_PLACEHOLDERS, type LinkPlaceholder } from '#contract/exchange-link-words.ts';
import type { ExchangeLink } from '#contract/exchange-links.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

type Kind = 'PULSE' | 'VYNCA';

/**
 * Returns which links a person has: WISHIN Pulse under canUseWishinPulse, where it lists the state of the person's address; Vynca where a roster
 * names an advance care document.
 */
export async function linksOf(
  tx: ActorTransaction,
  personId: string,
): Promise<{ wishinPulseEnabled: boolean; hasVynca: boolean }> {
  const pulseGroups = tx.actor.groupsWith('canUseWishinPulse');
  const { rows } = await tx.query<{ kind: Kind }>(sql`
    select x.kind from exchange_links x
    where x.organization_id = ${tx.actor.organizationId} and exists (
      select from roster_patients r
      where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} and r.left_at is null
        and case x.kind
          when 'PULSE' then r.group_id = any (${pulseGroups}::bigint[]) and upper(r.state) = any (x.states)
          else r.advance_care_documents <> '{}' end)`);
  const kinds = new Set(rows.map(({ kind }) => kind));
  return { wishinPulseEnabled: kinds.has('PULSE'), hasVynca: kinds.has('VYNCA') };
}

const isPlaceholder = (name: string): name is LinkPlaceholder =>
  (LINK_PLACEHOLDERS as readonly string[]).includes(name);

/** Returns the form that opens a patient at an exchange, filled in. Errors: NOT_FOUND, also where the patient has no such link. */
export async function linkTo(tx: ActorTransaction, patientId: string, kind: Kind): Promise<ExchangeLink> {
  const { personId } = await resolvePatient(tx, patientId);
  const { wishinPulseEnabled, hasVynca } = await linksOf(tx, personId);
  if (!(kind === 'PULSE' ? wishinPulseEnabled : hasVynca)) throw new ApiError('NOT_FOUND');
  const details = tx.actor.groupsWith('canViewAllPatientDetails');
  const { rows } = await tx.query<ExchangeLink & { values: Record<LinkPlaceholder, string | null> }>(sql`
    select x.url, x.fields, jsonb_build_object(
      'firstName', r.first_name, 'lastName', r.last_name, 'dateOfBirth', r.date_of_birth, 'gender', r.gender,
      'zip', case when r.group_id = any (${details}::bigint[]) then r.zip end,
      'memberId', case when r.group_id = any (${details}::bigint[]) then r.member_id end) as values
    from exchange_links x, roster_patients r
    where x.organization_id = ${tx.actor.organizationId} and x.kind = ${kind}
      and r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} and r.left_at is null
    order by r.id limit 1`);
  const [link] = rows;
  if (link === undefined) throw new ApiError('NOT_FOUND');
  const filled = (text: string): string =>
    text.replace(/\{([A-Za-z]+)\}/g, (as, name: string) => (isPlaceholder(name) ? (link.values[name] ?? '') : as));
  return { url: link.url, fields: link.fields.map(({ name, value }) => ({ name, value: filled(value) })) };
}
