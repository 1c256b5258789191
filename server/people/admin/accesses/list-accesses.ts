import type { AccessedPatient, AccessKind, PatientAccess, ReaderElsewhere } from '#contract/accesses.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

interface Row extends PatientAccess {
  total: string;
}

/**
 * Returns who has seen a patient or was refused, and how visits elsewhere became readable, newest first: the person in all listings, as far as teams and groups
 * of the administrator's organization are concerned. An operator sees every organization's, of any patient. Equal looks of one reader
 * within minutes are one entry here; the audit log has each. Errors: NOT_FOUND for a patient whom none of the administrator's groups has listed.
 */
export function listAccesses(
  db: Database,
  { actor }: Pick<ActorCall, 'actor'>,
  patientId: string,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<{
  patient: AccessedPatient | null;
  accesses: PatientAccess[];
  total: number;
  numPages: number;
  elsewhere: ReaderElsewhere[];
}> {
  return asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      const [listing = ''] = patientId.split('_');
      if (!actor.isOperator) await resolvePatient(tx, patientId);
      const organizationId = actor.isOperator ? null : actor.organizationId;
      const rows = await findAccesses(tx, listing, organizationId, { pageSize, offset: (pageNumber - 1) * pageSize });
      const total = Number(rows[0]?.total ?? 0);
      const elsewhere = organizationId === null ? [] : await readersElsewhere(tx, listing, organizationId);
      return {
        patient: await namedPatient(tx, listing),
        accesses: rows.map(accessOf),
        total,
        numPages: Math.ceil(total / pageSize),
        elsewhere,
      };
    },
    { readOnly: true },
  );
}

/** Returns the patient as the administrator's groups list or listed the person, if one of them lets the administrator view patients. */
async function namedPatient(tx: ActorTransaction, listing: string): Promise<AccessedPatient | null> {
  const { rows } = await tx.query<AccessedPatient>(sql`
    select r.first_name as "firstName", r.middle_name as "middleName", r.last_name as "lastName", r.name_suffix as "nameSuffix",
      r.date_of_birth as "dateOfBirth"
    from roster_patients asked join roster_patients r on r.person_id = asked.person_id
    where asked.id = ${listing} and r.group_id = any (${tx.actor.groupsWith('canViewPatients')}::bigint[]) and ${mayReadListing(tx.groupIds)}
    order by r.left_at is not null, r.id limit 1`);
  return rows[0] ?? null;
}

async function readersElsewhere(
  tx: ActorTransaction,
  listing: string,
  organizationId: string,
): Promise<ReaderElsewhere[]> {
  const { rows } = await tx.query<
    Omit<ReaderElsewhere, 'reads' | 'emergencies'> & { reads: string; emergencies: string }
  >(sql`
    select name as organization, reads, emergencies, first_at as "firstDate", last_at as "lastDate"
    from readers_elsewhere(${listing}, ${organizationId})`);
  return rows.map((row) => ({ ...row, reads: Number(row.reads), emergencies: Number(row.emergencies) }));
}

async function findAccesses(
  tx: ActorTransaction,
  listing: string,
  organizationId: string | null,
  { pageSize, offset }: { pageSize: number; offset: number },
): Promise<Row[]> {
  const { rows } = await tx.query<Row>(sql`
    with found as (
      select a.*, coalesce(a.detail ->> 'isBackground' = 'true', false) as is_background,
        case when a.action = 'patient.view' then case when a.is_subject then 'opened' else 'similar' end
          else coalesce(${JSON.stringify(KINDS)}::jsonb ->> a.action, case when a.is_subject then 'opened' when a.detail #> '{asked,query}' is not null
            or a.detail #> '{asked,userDefinedFacetPreferences,query}' is not null or a.detail #> '{asked,userDefinedFacetPreferences,dateOfBirth}' is not null
            then 'found' else 'listed' end) end as kind
      from patient_accesses(${listing}, ${organizationId}, null, 0) a),
    marked as (
      select *, kind = any(${FOLDED}) and at - lag(at) over alike <= make_interval(mins => ${FOLD_MINUTES}) is true as goes_on from found
      window alike as (partition by kind, user_id, team_id, address, is_background order by at, id)),
    numbered as (
      select *, count(*) filter (where not goes_on) over (
        partition by kind, user_id, team_id, address, is_background order by at, id rows unbounded preceding) as run from marked),
    folded as (
      select max(id) as id, max(at) as at, min(at) as first_at, count(*) as times, kind, user_id, team_id, group_id, address, is_background,
        (array_agg(detail order by at desc, id desc))[1] as detail, count(*) over () as total
      from numbered group by kind, user_id, team_id, group_id, address, is_background, run
      order by max(at) desc, max(id) desc limit ${pageSize} offset ${offset})
    select case when a.group_id is null then '' else 'opening-' end || a.id as id, a.at as date, a.first_at as "firstDate", a.times::integer, a.kind, a.total,
      case when a.user_id is not null then
        jsonb_build_object('id', a.user_id::text, 'name', u.first_name || ' ' || u.last_name) end as by,
      case when a.team_id is not null then jsonb_build_object('id', t.id::text, 'name', t.name) end as team,
      case when a.group_id is not null then
        a.detail || jsonb_build_object('group', jsonb_build_object('id', g.id::text, 'name', g.name)) end as opening,
      a.address, a.is_background as "isBackground"
    from folded a
      left join teams t on t.id = a.team_id
      left join groups g on g.id = a.group_id
      left join users u on u.id = a.user_id
    order by a.at desc, a.id desc`);
  return rows;
}

/** Looks that one opening of a page asks for several times. What someone changed, opened as a file or took away is an entry each time. */
const FOLDED: readonly AccessKind[] = [
  'opened',
  'visits-read',
  'care-team-read',
  'instructions-read',
  'documents-listed',
  'contacts-read',
  'follow-ups-read',
  'tags-read',
  'work-read',
  'consents-read',
  'waiver-read',
  'history-read',
  'links-read',
  'listed',
  'similar',
];
/** A look this long after the last one of its kind is another entry. */
const FOLD_MINUTES = 5;

const KINDS: Readonly<Partial<Record<string, AccessKind>>> = {
  'access.refused': 'refused',
  'care-form.remove': 'form-changed',
  'care-form.upload': 'form-changed',
  'care-form.view': 'form-read',
  'care-instructions.add': 'instructions-changed',
  'care-instructions.change': 'instructions-changed',
  'care-instructions.end': 'instructions-changed',
  'care-instructions.view': 'instructions-read',
  'care-team.add': 'care-team-changed',
  'care-team.change': 'care-team-changed',
  'care-team.end': 'care-team-changed',
  'care-team.view': 'care-team-read',
  'consent.end': 'consent-ended',
  'consent.expire': 'consent-ended',
  'consent.record': 'consent-recorded',
  'consent.view': 'consents-read',
  'contact-attempts.add': 'contact-recorded',
  'contact-attempts.remove': 'contact-removed',
  'contact-attempts.view': 'contacts-read',
  'follow-ups.view': 'follow-ups-read',
  'discharge-info.view': 'documents-listed',
  'discharge-summary.view': 'document-read',
  'document.download': 'document-downloaded',
  'document.view': 'document-read',
  'documents.list': 'documents-listed',
  'emergency.open': 'emergency',
  'emergency.view': 'opened',
  'export.patients': 'exported',
  'facility-link.answer': 'link-answered',
  'facility-link.create': 'link-sent',
  'facility-link.expire': 'link-ended',
  'facility-link.list': 'links-read',
  'facility-link.open': 'link-opened',
  'facility-link.refuse': 'link-refused',
  'facility-link.revoke': 'link-revoked',
  'facility-link.upload': 'link-answered',
  'match-review.decide': 'matched',
  'match-review.list': 'matched',
  'match-review.list-decided': 'matched',
  'match-review.take-apart': 'matched',
  'match-review.undo': 'matched',
  'message.preview': 'previewed',
  'message.replay': 'replayed',
  'message.view': 'message',
  'pre-admit.look-up': 'looked-up',
  'patient.accesses': 'audited',
  'patient.accesses-export': 'audited',
  'patient.change': 'details-changed',
  'patient.change-event': 'event-changed',
  'patient.delete-encounter': 'visit-deleted',
  'patient.delete-event': 'event-deleted',
  'patient.encounters': 'visits-read',
  'patient.enter': 'entered',
  'patient.enter-event': 'event-entered',
  'patient.print': 'printed',
  'patient.pulse': 'left-for-exchange',
  'patient.set-tags': 'tagged',
  'patient.tags': 'tags-read',
  'patient.viewing': 'opened',
  'patient.vynca': 'left-for-exchange',
  'patients.similar-names': 'similar',
  'patients.typeahead': 'found',
  'ping.evidence': 'explained',
  'ping.explain': 'explained',
  'ping.history': 'history-read',
  'ping.missing': 'explained',
  'ping.seen': 'opened',
  'ping.status': 'status-changed',
  'record.open': 'readable',
  'stay.assign': 'work-changed',
  'stay.done': 'listed',
  'stay.hand-over': 'work-changed',
  'stay.history': 'work-read',
  'stay.snooze': 'work-changed',
  'stay.undo': 'work-changed',
  'waiver.change': 'waiver-changed',
  'waiver.view': 'waiver-read',
};

function accessOf({ opening, total: _, ...row }: Row): PatientAccess {
  // PostgreSQL writes another form of the instant into JSON.
  return { ...row, opening: opening && { ...opening, from: new Date(opening.from).toISOString() } };
}
