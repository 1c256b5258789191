/** The rows of an export of a list: what the list shows, page by page, each page in a transaction of its own. */
import type { SearchContext } from '#contract/facets.ts';
import type { Patient } from '#contract/patients.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
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
        return patients.map(listedRow);
      },
      { byKeys: true },
    );
  }
}

function listedRow(patient: Patient): ExportRow {
  const { currentPing: ping, currentPingEncounter: stay } = patient;
  return {
    patient,
    stay,
    event: ping && { code: ping.status, date: ping.eventDate, state: ping.state },
    pingStatus: patient.card?.status ?? null,
    hasPart2: (ping?.facility ?? stay?.admittingFacility)?.isPart2Facility ?? false,
  };
}
