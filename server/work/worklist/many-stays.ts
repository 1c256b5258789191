/** Changes many stays in one call: each in a transaction of its own, so that one that fails harms no other. */
import type { FastifyBaseLogger } from 'fastify';
import type { StayRefusal } from '#contract/worklist.ts';
import type { Actor, CallStamp } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** Refusals that concern the whole call, not one of its stays. */
const OF_CALL: ReadonlySet<string> = new Set(['BAD_REQUEST', 'RESOLUTION_REQUIRED', 'OTHER_TEXT_REQUIRED']);

/** Of a stay whose change failed by no one's fault. It may have been saved if the connection was lost at the end. */
const FAILED: StayRefusal = {
  errorKey: 'INTERNAL',
  message: 'The server had a problem. Check whether the change was saved, and try again if not.',
  first: null,
};

const failed = ({ patientId }: { patientId: string }) => ({ patientId, result: null, refused: FAILED });

/**
 * Runs `change` for each stay, one after the other, and returns what became of each. Throws what concerns all of them alike, such as an invalid
 * day or a database that is out of reach from the beginning; then none was changed. Without a database the rest isn't tried.
 */
export async function eachStay<S extends { patientId: string }, T>(
  db: Database,
  actor: Actor,
  stays: readonly S[],
  of: CallStamp & { log: FastifyBaseLogger },
  change: (tx: ActorTransaction, stay: S, of: CallStamp) => Promise<T>,
): Promise<{ patientId: string; result: T | null; refused: StayRefusal | null }[]> {
  const outcomes = [];
  for (const stay of stays) {
    const { patientId } = stay;
    try {
      // Retried after a deadlock, because the pipeline may be writing the same pings.
      const result = await asActor(db, actor, 'canManagePings', (tx) => change(tx, stay, of), { retries: 3 });
      outcomes.push({ patientId, result, refused: null });
    } catch (error) {
      if (outcomes.length === 0 && (!(error instanceof ApiError) || OF_CALL.has(error.key))) throw error;
      if (!(error instanceof ApiError)) {
        of.log.error({ err: error, reqId: of.requestId }, 'A change of one of many stays failed');
        if (error instanceof DatabaseUnavailableError)
          return [...outcomes, ...stays.slice(outcomes.length).map((each) => failed(each))];
        outcomes.push(failed(stay));
        continue;
      }
      if (error.status === 404 || error.status === 403) await auditRefusal(db, actor, patientId, error, of);
      outcomes.push({ patientId, result: null, refused: refusalOf(error) });
    }
  }
  return outcomes;
}

/** The call as a whole is answered, so it leaves no entry about a stay that was out of reach. */
const auditRefusal = (
  db: Database,
  actor: Actor,
  patientId: string,
  { key }: ApiError,
  change: CallStamp,
): Promise<void> =>
  asActor(db, actor, 'canManagePings', (tx) =>
    writeAudit(tx, {
      ...change,
      action: 'access.refused',
      subject: 'patient',
      subjectId: patientId.split('_')[0] ?? null,
      patientIds: [],
      detail: { errorKey: key },
    }),
  );

function refusalOf({ key, message, current, standing }: ApiError): StayRefusal {
  const first = current ? { name: current.displayName ?? current.username, date: current.date } : standing?.last;
  return { errorKey: key, message, first: first ?? null };
}
