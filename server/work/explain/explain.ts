/** Why a team got a ping: message, match, list, notice (docs/decisions/0068). */
import type { ExplainedRecipient, PingExplanation } from '#contract/explanations.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { noteQuestion } from '#server/people/audit/audited-call.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { agreementsOf } from '#server/record/reviews/agreement.ts';
import { dateOf } from '#server/work/patients/encounter.ts';
import { type LoadedPatient, loadRows } from '#server/work/patients/load.ts';
import { type PingRow, pingsOf, type VisitRow } from '#server/work/patients/queries.ts';
import { explainMessages } from './messages.ts';
import {
  evidenceOfVisit,
  type LinkRow,
  linkOfVisit,
  type MessageRow,
  messagesOfEvent,
  noticesOf,
  type RecipientRow,
  readableMessages,
  readersOf,
  recipientsOf,
} from './queries.ts';

/** A ping of a patient. */
export interface AskedPing {
  patientId: string;
  eventId: string;
}

/** What an explanation was made from, for pages that say more about the same ping. */
export interface ExplainedPing {
  loaded: LoadedPatient;
  row: PingRow;
  /** Null if it belongs to another person now. */
  visit: VisitRow | null;
  explanation: Explained;
  rows: MessageRow[];
  encounterId: string;
  /** How the record of the visit and the listing came to be one person. */
  link: LinkRow | null;
}

/** An explanation before what only administrators see is added (`withAdministration`). */
type Explained = Omit<PingExplanation, 'messages' | 'match'> & {
  match: Omit<NonNullable<PingExplanation['match']>, 'agreement' | 'canTakeApart'> | null;
};

/** Returns why the actor's groups got the ping. Errors: NOT_FOUND if none of them did, or may no longer read it. */
export async function explainPing(db: Database, actor: Actor, asked: AskedPing, now: Date): Promise<PingExplanation> {
  const made = await asActor(db, actor, 'canViewPings', (tx) => loadExplanation(tx, asked, now), { readOnly: true });
  return withAdministration(db, actor, made);
}

/** Loads a ping with what explains it to everyone who may see it. Errors: NOT_FOUND. */
export async function loadExplanation(
  tx: ActorTransaction,
  { patientId, eventId }: AskedPing,
  now: Date,
): Promise<ExplainedPing> {
  const { personId, encounterId } = await resolvePatient(tx, patientId);
  if (encounterId === null) throw new ApiError('NOT_FOUND');
  const row = (await pingsOf(tx, [encounterId])).find(
    (each) => each.eventId === eventId && each.listingPersonId === personId,
  );
  const [loaded] = row ? await loadRows(tx, [{ personId, encounterId }], now, null) : [];
  if (!row || !loaded) throw new ApiError('NOT_FOUND');
  const visit = row.isMoved ? null : (loaded.visits.find(({ id }) => id === encounterId) ?? null);
  const recipients = await recipientsOf(tx, eventId, personId);
  const link = await linkOfVisit(tx, encounterId, recipients[0]?.listingId ?? '0');
  return {
    loaded,
    row,
    visit,
    rows: visit === null ? [] : await messagesOfEvent(tx, eventId),
    encounterId,
    link,
    explanation: {
      patientId: loaded.patient.id,
      ping: loaded.pingOf(row),
      isMoved: row.isMoved,
      receivedDate: row.receivedAt,
      stay: visit && stayOf(visit, loaded),
      match: link && matchOf(link),
      recipients: recipients.map((recipient) => recipientOf(recipient, row, link)),
      notices: await noticesOf(tx, eventId, personId),
      readers: await readersOf(tx, encounterId, row.createdAt),
    },
  };
}

/**
 * Adds the messages, with those whose text the actor may read marked, and, for administrators, the agreement of each field and whether they may take
 * the match apart.
 */
export async function withAdministration(db: Database, actor: Actor, made: ExplainedPing): Promise<PingExplanation> {
  const { explanation, rows, visit, encounterId, link } = made;
  const stored = rows.filter(({ isStored }) => isStored).map(({ messageId }) => messageId);
  const { readable, evidence } =
    actor.can('canManageUsers') && visit !== null
      ? await asActor(
          db,
          actor,
          'canManageUsers',
          async (tx) => ({
            readable: await readableMessages(tx, stored),
            evidence: await evidenceOfVisit(tx, encounterId),
          }),
          { readOnly: true },
        )
      : { readable: [], evidence: null };
  const messages = explainMessages(rows, explanation.ping.status, new Set(readable));
  const fields = evidence?.fields ?? null;
  const canTakeApart = mayTakeApart(link, evidence);
  noteQuestion({ fieldsShown: fields !== null });
  return {
    ...explanation,
    messages,
    match: explanation.match && { ...explanation.match, agreement: fields && agreementsOf(fields), canTakeApart },
  };
}

/** Whether the matcher joined the visit's record and the listing, and the actor, who sees the evidence, may decide about the record. */
export const mayTakeApart = (link: LinkRow | null, evidence: object | null): boolean =>
  link?.outcome === 'matched' && evidence !== null;

function stayOf(visit: VisitRow, loaded: LoadedPatient): PingExplanation['stay'] {
  const { dischargedDate, diagnosis, dischargeContradicted } = loaded.encounterOf(visit, []);
  const { arrivedAt, admittedAt } = visit.state;
  const words = diagnosis && [diagnosis.synonym, diagnosis.fullCode].filter(Boolean).join(' ');
  return {
    startDate: dateOf(arrivedAt ?? admittedAt),
    endDate: dischargedDate,
    diagnosis: words || null,
    ...(dischargeContradicted && { dischargeContradicted }),
  };
}

const HOW = {
  matched: 'AUTOMATIC',
  review: 'AUTOMATIC',
  new: 'FIRST',
  merged: 'MERGED',
  decided: 'DECIDED',
  undone: 'UNDONE',
} as const;

const matchOf = ({ outcome, date, by }: LinkRow) => ({ how: HOW[outcome], date, by });

function recipientOf(recipient: RecipientRow, { receivedAt }: PingRow, link: LinkRow | null): ExplainedRecipient {
  const { groupName, groupType, listedAt, leftAt, relationship, sentAt, consentAt } = recipient;
  const { openedHow, openedAt, opensFrom, openedBy } = recipient;
  return {
    groupName,
    groupType,
    listedDate: listedAt,
    leftDate: leftAt,
    relationship,
    opening:
      openedHow && openedAt && opensFrom ? { how: openedHow, date: openedAt, from: opensFrom, by: openedBy } : null,
    sentDate: sentAt,
    sentBecause: causeOf({ sentAt, receivedAt, listedAt, consentAt, linkedAt: link?.date ?? null }),
    consentDate: consentAt,
  };
}

interface Times {
  sentAt: string;
  receivedAt: string;
  listedAt: string;
  consentAt: string | null;
  linkedAt: string | null;
}

/** Returns why a ping was sent when it was: of what happened after the message, the last before it was sent. */
function causeOf({ sentAt, receivedAt, listedAt, consentAt, linkedAt }: Times): ExplainedRecipient['sentBecause'] {
  const sent = Date.parse(sentAt);
  if (sent <= Date.parse(receivedAt)) return 'MESSAGE';
  const causes = [
    ['JOINED', listedAt],
    ['CONSENT', consentAt],
    ['MATCH', linkedAt],
  ] as const;
  const later = causes
    .flatMap(([cause, at]) => (at === null ? [] : [{ cause, at: Date.parse(at) }]))
    .filter(({ at }) => at > Date.parse(receivedAt) && at <= sent)
    .sort((a, b) => b.at - a.at);
  return later[0]?.cause ?? 'OTHER';
}
