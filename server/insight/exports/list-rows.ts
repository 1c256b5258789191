/** The rows of an export of a list: what the list shows, page by page, each page in a transaction of its own. */
import type { SearchContext } from '#contract/facets.ts';
import type { Patient } from '#contract/patients.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { usDay } from '#server/platform/calendar/us-dates.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { yearsBetween } from '#server/record/rules/medicare.ts';
import { loadPatients } from '#server/work/patients/load.ts';
import { LIST_PERMISSIONS } from '#server/work/search/access-scope.ts';
import { patientKeys } from '#server/work/search/row-keys.ts';
import type { ExportRow } from './cells.ts';
import { noteExported } from './note-exported.ts';

const PAGE = 200;

export interface ListSource {
  /** Connections of the app role. */
  db: Database;
  actor: Actor;
  context: SearchContext;
  /** The rows of the list, as the search finds them. */
  keys: readonly number[];
  clock: Clock;
  /** The job that the audit log names; null for a file that is sent at once. */
  jobId: string | null;
}

/** Yields the rows in the order of the keys, without those that the actor may no longer see. Their patients are in the audit log before they leave. */
export async function* listRows({ db, actor, context, keys, clock, jobId }: ListSource): AsyncGenerator<ExportRow[]> {
  for (let at = 0; at < keys.length; at += PAGE) {
    const page = keys.slice(at, at + PAGE);
    yield await asActor(
      db,
      actor,
      LIST_PERMISSIONS[context],
      async (tx) => {
        const patients = await loadPatients(tx, await patientKeys(tx, context, page), clock());
        const ids = patients.map(({ id }) => id.split('_')[0] ?? '');
        await noteExported(tx, { jobId, patientIds: ids, now: clock() });
        return patients.map((patient) => listedRow(patient, context, localDateOf(clock().getTime(), actor.timeZone)));
      },
      { byKeys: true },
    );
  }
}

/** `today`: YYYY-MM-DD. */
function listedRow(patient: Patient, context: SearchContext, today: string): ExportRow {
  const { currentPing: ping, currentPingEncounter: stay } = patient;
  return {
    patient,
    stay,
    event: ping && { code: ping.status, date: ping.eventDate, state: ping.state },
    pingStatus: patient.card?.status ?? null,
    listed: listedOf(patient, context, today),
    hasPart2: (patient.hasPart2Records || (ping?.facility ?? stay?.admittingFacility)?.isPart2Facility) ?? false,
  };
}

/** Returns what the row says: in lists of patients and pings about the stay, in the event feed about the event. */
function listedOf(patient: Patient, context: SearchContext, today: string): NonNullable<ExportRow['listed']> {
  const { card, currentPing: ping, deceased, isDeceasedDateReported, dateOfBirth } = patient;
  const ofStay = card && context !== 'EVENTS' ? [card.headline.reason, ...card.otherReasons] : [ping?.reason ?? null];
  const reasons = ofStay.filter((reason) => reason !== null);
  // As in the banner: without the day of death, the age at death is not known.
  const until = deceased ? !isDeceasedDateReported && patient.deceasedDate?.slice(0, 10) : today;
  return {
    age: dateOfBirth && until ? `${yearsBetween(dateOfBirth, until)}${deceased ? ' at death' : ''}` : '',
    died: deceased
      ? diedOn(
          patient,
          reasons.some(({ code }) => code === 'AFTER_DEATH'),
        )
      : '',
    reasons: reasons.map(({ label }) => label).join('; '),
    due: reasons.flatMap(({ dueOn }) => (dueOn ? usDay(dueOn) : [])).join('; '),
    owner: card?.work.owner?.name ?? '',
  };
}

/** A death may be contradicted by later messages, so a file never says it plainer than the list does. */
function diedOn({ deceasedDate, isDeceasedDateReported }: Patient, isInDoubt: boolean): string {
  const on = deceasedDate
    ? `${isDeceasedDateReported ? 'reported ' : ''}${usDay(deceasedDate.slice(0, 10))}`
    : 'date not known';
  return `Yes, ${on}${isInDoubt ? ', in doubt' : ''}`;
}
