import type { DiagnosisDetails } from '#contract/patient-details.ts';
import type { DiagnosisSummary } from '#contract/story.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { dateOf, diagnosesOf } from '#server/work/patients/encounter.ts';
import { loadVisits, newestFirst, type StoryVisits } from './visits.ts';

/**
 * Returns the patient's diagnoses, each once with its newest words and the type that it had last: those of the latest visit first, in a visit
 * final before working before admitting. Of visits that took place, or take place now.
 */
export async function summarizeDiagnoses(tx: ActorTransaction, patientId: string): Promise<DiagnosisSummary[]> {
  return diagnosesIn(await loadVisits(tx, patientId));
}

interface Found {
  diagnosis: DiagnosisDetails;
  facilityName: string;
  date: string | null;
}

/** When a visit's messages named it first; of visits from before days were kept, when the visit began. */
const firstOf = (found: Found | undefined): string | null =>
  found ? (found.diagnosis.before?.[0]?.since ?? found.diagnosis.since ?? found.date) : null;

function diagnosesIn({ visits, facilities }: StoryVisits): DiagnosisSummary[] {
  const happened = visits.filter(({ state }) => state.status !== 'CANCELLED' && state.status !== 'PLANNED');
  const found = newestFirst(happened).flatMap((visit): Found[] => {
    const once = new Map(diagnosesOf(visit).map((diagnosis) => [diagnosis.fullCode, diagnosis]));
    const facilityName = facilities.get(visit.groupId)?.name ?? '';
    const date = dateOf(visit.state.admittedAt ?? visit.state.dischargedAt);
    return [...once.values()].map((diagnosis) => ({ diagnosis, facilityName, date }));
  });
  return [...Map.groupBy(found, ({ diagnosis }) => diagnosis.fullCode).values()].flatMap((all) => {
    const [newest] = all;
    if (!newest) return [];
    const named = all.find(({ diagnosis }) => diagnosis.synonym !== null);
    return [
      {
        ...newest.diagnosis,
        synonym: named?.diagnosis.synonym ?? null,
        encounterCount: all.length,
        firstDate: firstOf(all.at(-1)),
        lastDate: newest.diagnosis.since ?? newest.date,
        facilityName: newest.facilityName,
      },
    ];
  });
}
