/** What a team does with links for facilities: creates, lists and revokes them (docs/decisions/0069). */

import type { z } from 'zod';
import { HOUR } from '#contract/durations.ts';
import { isLinkInUse, LINK_PURPOSES, type LinkPurpose, MOST_LINKS_IN_USE } from '#contract/facility-link-words.ts';
import type { createdFacilityLink, FacilityLinks, NewFacilityLink } from '#contract/facility-links.ts';
import type { Config } from '#server/config.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type ResolvedPatient, resolvePatient } from '#server/people/access/patient.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { canMail } from '#server/people/accounts/letters/send-letters.ts';
import { hashOf, newToken } from '#server/people/accounts/token-hash.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { sentSummary } from '#server/work/documents/discharge.ts';
import { askingLetter } from './letters.ts';
import { insertLink, linksOf, withEnded } from './queries.ts';
import { type SendDeps, sendAnswers } from './send-answers.ts';
import { type AskedFor, isInUse, refusalOf, type Stay, stayById } from './stay.ts';

export interface LinkDeps extends SendDeps {
  /** Connected as the app role. */
  db: Database;
  pipeline: Database;
  config: Pick<Config, 'publicUrl' | 'smtp' | 'demo'>;
}

/** Links that a user may create within an hour: they can be mailed to any address. */
const MOST_AN_HOUR = 20;
/** Links that are mailed to one address within an hour, whoever asks: enough for a records desk, too few to flood a stranger. */
const MOST_TO_ADDRESS = 5;
const SENT_MANY = `You have made ${MOST_AN_HOUR} links in the last hour. Make the next one in a while, or call the facility.`;
const MAILED_OFTEN = `${MOST_TO_ADDRESS} links were emailed to this address within the last hour. Create a link to copy instead, or try again later.`;

const NO_STAY = 'Choose a stay to ask its facility about it.';
const IN_USE = `Up to ${MOST_LINKS_IN_USE} links can be in use for one stay. Revoke one to create another.`;

/** Returns the team's links about the stay that a patient id names. Errors: NOT_FOUND. */
export async function facilityLinks(
  deps: LinkDeps,
  { actor, now }: ActorCall,
  patientId: string,
): Promise<FacilityLinks> {
  const { found, patient, asked } = await asActor(
    deps.db,
    actor,
    'canViewPings',
    async (tx) => {
      const resolved = await resolvePatient(tx, patientId);
      const { personId, encounterId } = resolved;
      const own = encounterId ? await linksOf(tx, { personId, encounterId }, now) : [];
      return { found: own, patient: resolved, asked: await askedFor(tx, resolved) };
    },
    { readOnly: true },
  );
  const stay = patient.encounterId && (await stayById(deps.pipeline, patient.encounterId));
  const links = await withEnded(deps.pipeline, found);
  const inUse = links.filter(({ state }) => isLinkInUse(state)).length;
  const refusal = (purpose: LinkPurpose) =>
    stay ? (refusalOf(stay, purpose, asked) ?? (inUse >= MOST_LINKS_IN_USE ? IN_USE : null)) : NO_STAY;
  const refusals = Object.fromEntries(LINK_PURPOSES.map((purpose) => [purpose, refusal(purpose)]));
  return { links, refusals: refusals as FacilityLinks['refusals'] };
}

/** Of a discharge summary that the user may not open, nothing is said. */
async function askedFor(tx: ActorTransaction, patient: ResolvedPatient): Promise<AskedFor> {
  const { rowCount } = await tx.query(sql`
    select from roster_patients r where r.person_id = ${patient.personId} and ${mayReadListing(tx.groupIds)} and r.left_at is null limit 1`);
  return { hasSummary: (await sentSummary(tx, patient)) !== undefined, isListed: rowCount > 0 };
}

/**
 * Creates a link about a stay and mails it, or returns it once. Errors: NOT_FOUND; BAD_REQUEST if there is nothing to ask; EMAIL_NOT_SENT if
 * this installation sends no mail; TOO_MANY_REQUESTS.
 */
export async function createLink(
  deps: LinkDeps,
  call: ActorCall,
  patientId: string,
  wanted: NewFacilityLink,
): Promise<z.infer<typeof createdFacilityLink>> {
  const { actor } = call;
  if (wanted.recipient !== null && !canMail(deps.config)) throw new ApiError('EMAIL_NOT_SENT');
  const { patient, asked } = await asActor(deps.db, actor, 'canManagePings', async (tx) => {
    const found = await resolvePatient(tx, patientId);
    return { patient: found, asked: await askedFor(tx, found) };
  });
  const token = newToken();
  const url = `${deps.config.publicUrl}/facility-link#${token}`;
  await deps.pipeline.transaction(async (tx) => {
    const stay = patient.encounterId && (await stayById(tx, patient.encounterId));
    if (!stay) throw refuse(NO_STAY);
    const refusal =
      stay.personId === patient.personId
        ? refusalOf(stay, wanted.purpose, asked)
        : 'This visit belongs to another patient now.';
    if (refusal !== null) throw refuse(refusal);
    await limitLinks(tx, call, stay.encounterId, wanted.recipient);
    const expiresAt = new Date(call.now.getTime() + wanted.hours * HOUR);
    const { rosterPatientId } = patient;
    const { purpose, recipient } = wanted;
    const link = { purpose, recipient, tokenHash: hashOf(token), rosterPatientId, expiresAt };
    const id = await insertLink(tx, { ...link, encounterId: stay.encounterId, about: stay.about }, actor, call.now);
    if (recipient !== null) await mail(tx, call, { stay, url, recipient, purpose, expiresAt });
    const detail = { linkId: id, purpose, visit: stay.encounterId, isMailed: recipient !== null, hours: wanted.hours };
    await audit(tx, call, 'facility-link.create', patient, detail);
  });
  return { ...(await facilityLinks(deps, call, patientId)), url: wanted.recipient === null ? url : null };
}

async function limitLinks(
  tx: Transaction,
  { actor, now }: ActorCall,
  encounterId: string,
  recipient: string | null,
): Promise<void> {
  // Parallel calls count each other's links, also about other stays.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('tidings facility links', 0))`);
  const { rows } = await tx.query<{ inUse: number; lately: number; mailed: number }>(sql`
    select
      (select count(*)::int from facility_links l
        where l.encounter_id = ${encounterId} and l.team_id = ${actor.teamId} and ${isInUse(now)}) as "inUse",
      count(*) filter (where l.created_by = ${actor.userId})::int as lately,
      count(*) filter (where ${mailboxOf(sql`l.recipient`)} = ${mailboxOf(sql`${recipient}::text`)})::int as mailed
    from facility_links l where l.created_at > ${new Date(now.getTime() - HOUR)}`);
  const { inUse = 0, lately = 0, mailed = 0 } = rows[0] ?? {};
  if (inUse >= MOST_LINKS_IN_USE) throw refuse(IN_USE);
  if (lately >= MOST_AN_HOUR) throw new ApiError('TOO_MANY_REQUESTS', { message: SENT_MANY });
  if (mailed >= MOST_TO_ADDRESS)
    throw new ApiError('TOO_MANY_REQUESTS', { message: MAILED_OFTEN, fields: { recipient: MAILED_OFTEN } });
}

/** SQL: the mailbox of an address. What follows a '+' only sorts its mail (RFC 5233). */
const mailboxOf = (address: Sql): Sql =>
  sql`lower(split_part(split_part(${address}, '@', 1), '+', 1) || '@' || split_part(${address}, '@', 2))`;

interface Mailed extends Pick<NewFacilityLink, 'purpose'> {
  stay: Stay;
  url: string;
  recipient: string;
  expiresAt: Date;
}

async function mail(tx: Transaction, { actor, now }: ActorCall, { stay, recipient, ...of }: Mailed): Promise<void> {
  const { rows } = await tx.query<{ organization: string; team: string }>(sql`
    select o.name as organization, t.name as team from teams t join organizations o on o.id = t.organization_id
    where t.id = ${actor.teamId}`);
  const { organization = '', team = '' } = rows[0] ?? {};
  const text = askingLetter({ ...of, organization, team, person: actor.displayName, timeZone: stay.timeZone });
  await postLetter(tx, { channel: 'e-mail', recipient, ...text }, now);
}

/**
 * Revokes a link; an answer that came by it is taken back like a canceled event. One that was revoked, or is over without an answer, stays as it
 * is. Errors: NOT_FOUND.
 */
export async function revokeLink(
  deps: LinkDeps,
  call: ActorCall,
  { patientId, linkId }: { patientId: string; linkId: string },
): Promise<FacilityLinks> {
  const { actor, now } = call;
  const patient = await asActor(deps.db, actor, 'canManagePings', async (tx) => {
    const found = await resolvePatient(tx, patientId);
    const { personId, encounterId } = found;
    const links = encounterId ? await linksOf(tx, { personId, encounterId }, now) : [];
    if (!links.some(({ id }) => id === linkId)) throw new ApiError('NOT_FOUND');
    return found;
  });
  await deps.pipeline.transaction(async (tx) => {
    const { rows } = await tx.query<{ isAnswered: boolean }>(sql`
      update facility_links l set revoked_at = ${now}, revoked_by = ${actor.userId}, revoked_by_name = ${actor.displayName}
      where l.id = ${linkId} and l.revoked_at is null and (l.answered_at is not null or ${isInUse(now)})
      returning l.answered_at is not null as "isAnswered"`);
    const [revoked] = rows;
    if (revoked === undefined) return;
    await audit(tx, call, 'facility-link.revoke', patient, { linkId, isAnswered: revoked.isAnswered });
    await noteChange(tx);
  });
  await sendAnswers(deps, { id: linkId });
  return facilityLinks(deps, call, patientId);
}

function audit(
  tx: Transaction,
  { actor, now, requestId }: ActorCall,
  action: 'facility-link.create' | 'facility-link.revoke',
  { rosterPatientId }: ResolvedPatient,
  detail: Record<string, unknown>,
): Promise<void> {
  const about = { action, subject: 'patient', subjectId: rosterPatientId } as const;
  return writeAudit({ ...tx, actor }, { ...about, detail, now, requestId });
}

const refuse = (message: string): ApiError => badFieldInMessage('purpose', message);
