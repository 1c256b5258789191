/**
 * What the holder of a link does, who has no account: opens it and answers. Nothing about the patient leaves before the birth date was typed.
 * All that is known of the caller is the link, so the pipeline role reads and writes; each statement names the link.
 */
import { timingSafeEqual } from 'node:crypto';
import { LINK_TRIES, type LinkPurpose } from '#contract/facility-link-words.ts';
import type { LinkAnswer, LinkProof, OpenedLink } from '#contract/facility-links.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { isBefore } from '#server/record/fold/event-time.ts';
import { lockedLetter } from './letters.ts';
import { dischargeIn } from './messages.ts';
import { countTry, type HeldLink } from './queries.ts';
import { type SendDeps, sendAnswers } from './send-answers.ts';
import { isInUse, type Stay, stayAbout } from './stay.ts';

export interface HolderDeps extends SendDeps {
  pipeline: Database;
  publicUrl: string;
}

/** When a holder calls, and in which request. */
export interface HolderCall {
  now: Date;
  requestId: string;
  /** Who is signed in, in the browser that calls; null if no one is. */
  userId?: string | null;
}

const YEAR = 366 * 86_400_000;

/** Returns what the link's page shows. Errors: LINK_NOT_VALID, WRONG_BIRTH_DATE. */
export async function openLink(deps: HolderDeps, call: HolderCall, proof: LinkProof): Promise<OpenedLink> {
  const { link, stay } = await prove(deps, call, proof);
  const { rows } = await deps.pipeline.query<{ askedBy: string }>(sql`
    select l.created_by_name || ', ' || t.name || ' (' || o.name || ')' as "askedBy"
    from facility_links l join teams t on t.id = l.team_id join organizations o on o.id = t.organization_id
    where l.id = ${link.id}`);
  const { name, birthDate } = stay.demographics;
  const { admittedAt } = stay.state;
  return {
    purpose: link.purpose,
    patientName: [name?.given, name?.family].filter(Boolean).join(' '),
    birthDate: birthDate ?? '',
    facilityName: stay.facilityName,
    admittedDate: admittedAt && (admittedAt.precision === 'day' ? admittedAt.localDate : admittedAt.instant),
    timeZone: stay.timeZone,
    askedBy: rows[0]?.askedBy ?? '',
    expiresDate: link.expiresAt,
  };
}

/** Keeps the answer, which ends the link, and hands it to the message store. Errors: as of `openLink`; BAD_REQUEST for an impossible date. */
export async function answerLink(
  deps: HolderDeps,
  call: HolderCall,
  { answer, ...proof }: LinkProof & { answer: LinkAnswer },
): Promise<void> {
  const { link, stay } = await prove(deps, call, proof, 'CONFIRM_DISCHARGE');
  checkDate(answer, stay, call.now);
  await deps.pipeline.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql`
      update facility_links l set answered_at = ${call.now}, answer = ${JSON.stringify(answer)}
      where l.id = ${link.id} and ${isInUse(call.now)}`);
    // Someone else with the link was faster.
    if (rowCount === 0) throw new ApiError('LINK_NOT_VALID');
    const { stillHere, destination = null } = answer;
    await auditHolder(tx, call, link, 'facility-link.answer', { stillHere, destination });
  });
  await sendAnswers(deps, { id: link.id });
}

interface Proven {
  link: HeldLink;
  stay: Stay;
}

/**
 * Compares the birth date with that of the patient as the facility itself reported it. The try is counted, and committed, before; a right one
 * is given back, so three wrong ones lock the link however many requests run in parallel. `purpose`: what the link has to be for. Errors:
 * LINK_NOT_VALID, WRONG_BIRTH_DATE.
 */
export async function prove(
  deps: HolderDeps,
  call: HolderCall,
  { token, birthDate }: LinkProof,
  purpose?: LinkPurpose,
): Promise<Proven> {
  const { pipeline } = deps;
  const link = await countTry(pipeline, hashOf(token), call.now);
  const stay = link && (await stayOf(pipeline, link));
  if (!link || !stay) throw new ApiError('LINK_NOT_VALID');
  notePatients([link.rosterPatientId]);
  const [month, day, year] = birthDate.split('/');
  if (!isSame(`${year}-${month}-${day}`, stay.demographics.birthDate ?? '')) throw await refused(deps, call, link);
  await pipeline.transaction(async (tx) => {
    await tx.query(sql`
      update facility_links set tries = tries - 1, opened_at = coalesce(opened_at, ${call.now}) where id = ${link.id}`);
    await auditHolder(tx, call, link, 'facility-link.open', {});
  });
  if (purpose !== undefined && link.purpose !== purpose) throw new ApiError('LINK_NOT_VALID');
  if (purpose !== undefined) await refuseAsker(pipeline, call, link);
  return { link, stay };
}

const OWN_LINK =
  "Your organization made this link, so you can't answer it. Nothing was sent. Someone at the facility has to answer it, in their own browser.";

/** Whoever asks can't answer for the facility. Someone who signs out still can: so what comes by a link names the organization that asked. */
async function refuseAsker(pipeline: Database, { userId }: HolderCall, link: HeldLink): Promise<void> {
  if (userId === undefined || userId === null) return;
  const { rowCount } = await pipeline.query(sql`
    select from users where id = ${userId} and (organization_id = ${link.organizationId} or id = ${link.createdBy})`);
  if (rowCount > 0) throw new ApiError('NOT_PERMITTED', { message: OWN_LINK });
}

/** Takes the same time wherever two dates differ. */
function isSame(typed: string, known: string): boolean {
  const [a, b] = [hashOf(typed), hashOf(known)];
  return timingSafeEqual(a, b) && known !== '';
}

/** Null if the visit is no longer that of the patient whom the team lists, or its facility has come under 42 CFR Part 2. */
async function stayOf(pipeline: Database, { about, rosterPatientId }: HeldLink): Promise<Stay | null> {
  const stay = await stayAbout(pipeline, about);
  const { rowCount } = await pipeline.query(sql`
    select from roster_patients where id = ${rosterPatientId} and person_id = ${stay?.personId ?? null}`);
  return stay !== null && rowCount > 0 && !stay.isPart2 && stay.state.status !== 'CANCELLED' ? stay : null;
}

/** Records a wrong birth date. The third one locks the link, and its creator gets a mail. Returns the error. */
async function refused({ pipeline, publicUrl }: HolderDeps, call: HolderCall, link: HeldLink): Promise<ApiError> {
  const wrong = await pipeline.transaction(async (tx) => {
    const { rows } = await tx.query<{ wrong: number }>(sql`
      update facility_links set wrong = wrong + 1, locked_at = case when wrong + 1 >= ${LINK_TRIES} then ${call.now}::timestamptz end
      where id = ${link.id} returning wrong`);
    const count = rows[0]?.wrong ?? LINK_TRIES;
    await auditHolder(tx, call, link, 'facility-link.refuse', { wrong: count });
    if (count >= LINK_TRIES) await mailCreator(tx, call, link, publicUrl);
    return count;
  });
  const left = LINK_TRIES - wrong;
  if (left <= 0) return new ApiError('LINK_NOT_VALID');
  const tries = left === 1 ? 'You have 1 try left.' : `You have ${left} tries left.`;
  const message = `This isn't the birth date of the patient this link is about. ${tries}`;
  return new ApiError('WRONG_BIRTH_DATE', { message, fields: { birthDate: message } });
}

async function mailCreator(tx: Transaction, { now }: HolderCall, link: HeldLink, publicUrl: string): Promise<void> {
  const text = lockedLetter({ createdAt: new Date(link.createdAt), publicUrl });
  for (const recipient of await mailOfCreator(tx, link))
    await postLetter(tx, { channel: 'e-mail', recipient, ...text }, now);
}

/** Returns the address of the person who created the link, unless their account is disabled. */
export async function mailOfCreator(tx: Transaction, { createdBy }: HeldLink): Promise<string[]> {
  const { rows } = await tx.query<{ recipient: string }>(sql`
    select username as recipient from users where id = ${createdBy} and disabled_at is null`);
  return rows.map(({ recipient }) => recipient);
}

function checkDate(answer: LinkAnswer, { timeZone, state }: Stay, now: Date): void {
  const at = dischargeIn(answer, timeZone);
  if (at === null) return;
  if (at.localDate > localDateOf(now.getTime(), timeZone))
    throw badFieldInMessage('date', "The discharge can't be in the future.");
  if (Date.parse(at.instant) > now.getTime()) throw badFieldInMessage('time', "The discharge can't be in the future.");
  if (state.admittedAt && isBefore(at, state.admittedAt))
    throw badFieldInMessage('date', "The discharge can't be before the admission.");
  if (Date.parse(at.instant) < now.getTime() - YEAR)
    throw badFieldInMessage('date', 'Enter a date within the last year.');
}

type HolderAction = 'facility-link.open' | 'facility-link.refuse' | 'facility-link.answer' | 'facility-link.upload';

/** The entry names the team that asked, and no user: all that is known is that someone had the link. */
export function auditHolder(
  tx: Transaction,
  { now, requestId }: HolderCall,
  { id, teamId, rosterPatientId }: HeldLink,
  action: HolderAction,
  detail: Record<string, unknown>,
): Promise<void> {
  const about = { action, subject: 'patient', subjectId: rosterPatientId, now, requestId } as const;
  return writeAuditAs(tx, { userId: null, teamId }, { ...about, detail: { linkId: id, ...detail } });
}
