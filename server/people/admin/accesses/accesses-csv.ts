import { accessInWords, accessor } from '#contract/access-words.ts';
import type { PatientAccess, ReaderElsewhere } from '#contract/accesses.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { csvLine } from '#server/platform/text/csv-line.ts';
import { listAccesses } from './list-accesses.ts';

/** A patient's accesses of six years seldom come near it. */
const MOST_ROWS = 50_000;
const HEADER = ['Date (UTC)', 'Who', 'Team or group', 'Organization', 'What', 'IP address'];

/** Returns the list of who has seen a patient as a file, and writes the audit entry first. Errors: NOT_FOUND. */
export async function accessesCsv(db: Database, call: ActorCall, patientId: string): Promise<string> {
  const { accesses, total, elsewhere } = await listAccesses(db, call, patientId, {
    pageNumber: 1,
    pageSize: MOST_ROWS,
  });
  await asActor(db, call.actor, 'canManageUsers', (tx) =>
    writeAudit(tx, {
      action: 'patient.accesses-export',
      subject: 'patient',
      subjectId: patientId.split('_')[0] ?? null,
      detail: { rows: accesses.length },
      now: call.now,
      requestId: call.requestId,
    }),
  );
  const missing = total - accesses.length;
  return [
    HEADER,
    ...elsewhere.map(lineElsewhere),
    ...accesses.map(lineOf),
    ...(missing > 0 ? [[`${missing} older entries are not in this file.`]] : []),
  ]
    .map(csvLine)
    .join('');
}

const day = (instant: string): string => instant.slice(0, 10);

const lineOf = (access: PatientAccess): string[] => [
  access.date,
  accessor(access),
  access.team?.name ?? access.opening?.group.name ?? '',
  'Own',
  accessInWords(access, day),
  access.address ?? '',
];

const lineElsewhere = ({ organization, reads, emergencies, firstDate, lastDate }: ReaderElsewhere): string[] => [
  lastDate,
  '',
  '',
  organization,
  `Read ${reads} times since ${day(firstDate)}, ${emergencies} times in an emergency`,
  '',
];
