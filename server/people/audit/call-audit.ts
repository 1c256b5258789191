/** Writes an audit entry about each call whose route names an action in the contract, and about refusals. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { isLogged } from '#contract/audit-log-words.ts';
import { AUDITED_ACTIONS } from '#contract/audited-actions.ts';
import { BACKGROUND_HEADER, TEAM_HEADER } from '#contract/constants.ts';
import { id, patientId } from '#contract/primitives.ts';
import type { Route, RouteKey } from '#contract/routes.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { auditHash } from './audit-hash.ts';
import type { AuditedCall } from './audited-call.ts';
import { describeAnswer, describeQuestion } from './describe.ts';
import { Flood } from './flood.ts';
import { OwnCalls } from './own-calls.ts';
import { RightUses } from './right-uses.ts';
import { type AuditEntry, assertWritten } from './write-audit.ts';

export interface CallAuditDeps {
  /** Connections of the app role. */
  db: Queryable;
  clock: Clock;
  log: FastifyBaseLogger;
}

/** A call of the API: the request with its route, who was recognized so far, and what its handler has noted for the entry. */
export interface Call {
  request: FastifyRequest;
  row: Route;
  caller: { user?: { userId: string; sessionHash: Buffer } | undefined; actor?: { teamId: string } | undefined };
  noted: AuditedCall;
}

/** Refusals of a user, or of an address that is not signed in, that get an entry of their own within a minute. */
const REFUSALS_PER_MINUTE = 30;
/** Answers that refuse: forbidden, missing, and in conflict with what the answer then shows. */
const REFUSED = new Set([403, 404, 409]);

interface Entry extends Pick<AuditEntry, 'action' | 'subject' | 'subjectId'> {
  userId: string | null;
  teamId: string | null;
  requestId: string | null;
  address: string;
  route: string;
  status: number | null;
  patientIds: readonly string[];
  detail: Record<string, unknown>;
}

export class CallAudit {
  readonly #deps: CallAuditDeps;
  readonly #ownCalls = new OwnCalls();
  readonly #rightUses: RightUses;
  readonly #refusals: Flood<Pick<Entry, 'userId' | 'address' | 'action' | 'subject'>>;

  constructor(deps: CallAuditDeps) {
    this.#deps = deps;
    this.#rightUses = new RightUses(deps.db, deps.clock);
    this.#refusals = new Flood(REFUSALS_PER_MINUTE, deps.clock);
  }

  /**
   * Writes the entry of a call that is about to be answered with `answer`. Does nothing if its route is not audited, or its handler has
   * written the entry. If the entry cannot be written it throws, and the caller gets no answer.
   */
  async answered(call: Call, answer: unknown): Promise<void> {
    const { request, row, noted } = call;
    if (noted.refusal !== null) return this.#signInFailed(call, noted.refusal, null);
    const { audit: action } = row;
    // A sign-in is written with the session that begins with it; until then there is a verification code to come.
    if (action === undefined || action === 'sign-in' || noted.isWritten) return;
    const hash = await auditHash(this.#deps.db);
    const { patientIds, answered } = describeAnswer(answer);
    const asked = describeQuestion(partsOf(call), hash);
    const isRefresh = this.#isRefresh(call);
    await this.#write({
      ...this.#whoAndWhere(call),
      action,
      subject: AUDITED_ACTIONS[action],
      subjectId: subjectOf(request),
      status: row.status ?? 200,
      patientIds: [...new Set([...noted.patientIds, ...patientIds])],
      detail: { asked, answered, ...(isRefresh ? { isBackground: true } : {}) },
    });
  }

  /** Notes that the user used a right, unless their open page made the call by itself. The answer goes out even if that fails. */
  async used({ request, caller: { user, actor } }: Call, route: RouteKey): Promise<void> {
    if (user === undefined || actor === undefined || request.headers[BACKGROUND_HEADER] === '1') return;
    try {
      await this.#rightUses.note(user.userId, actor.teamId, route);
    } catch (failure) {
      this.#deps.log.error({ err: failure, reqId: request.id }, 'The use of a right was not noted');
    }
  }

  /** Writes the entry of a call that was refused with this error. The refusal goes out even if that fails: nothing was disclosed. */
  async refused(call: Call, error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) return;
    const { user } = call.caller;
    try {
      if (call.row.audit === 'sign-in') await this.#signInFailed(call, error.key, call.noted.userId);
      else if (user !== undefined && REFUSED.has(error.status)) await this.#accessRefused(call, error);
    } catch (failure) {
      this.#deps.log.error({ err: failure, reqId: call.request.id }, 'A refusal was not audited');
    }
  }

  /** Writes the refusals that were only counted, one entry for each user or address. */
  async flush(): Promise<void> {
    for (const { key, count, since } of this.#refusals.take()) {
      const detail = { repeated: count, since: since.toISOString() };
      const none = { subjectId: null, teamId: null, requestId: null, route: '', status: null, patientIds: [] };
      await this.#write({ ...none, ...key, detail });
    }
  }

  /**
   * Returns whether an open page repeats by itself what its user asked for before. The browser says which calls are not the user's, and anyone can
   * say so, so a call that the session has not made otherwise counts as the user's.
   */
  #isRefresh(call: Call): boolean {
    const { caller, noted, request } = call;
    if (caller.user === undefined) return false;
    const question = { route: noted.route, teamId: caller.actor?.teamId ?? null, parts: partsOf(call) };
    if (request.headers[BACKGROUND_HEADER] === '1') return this.#ownCalls.has(caller.user.sessionHash, question);
    this.#ownCalls.add(caller.user.sessionHash, question);
    return false;
  }

  async #accessRefused(call: Call, { key: errorKey, status }: ApiError): Promise<void> {
    const { request, row } = call;
    const isAboutPatient = patientId.safeParse((request.params as Record<string, unknown>)['id']).success;
    const subject = isAboutPatient ? 'patient' : row.audit === undefined ? 'call' : AUDITED_ACTIONS[row.audit];
    const entry = { ...this.#whoAndWhere(call), action: 'access.refused', subject } as const;
    if (!this.#admits(entry)) return;
    const team = id.safeParse(request.headers[TEAM_HEADER] ?? (request.query as Record<string, unknown>)['teamId']);
    const detail = { errorKey, ...(team.success ? { teamId: team.data } : {}) };
    await this.#write({ ...entry, subjectId: subjectOf(request), status, patientIds: [], detail });
  }

  async #signInFailed(call: Call, errorKey: string, userId: string | null): Promise<void> {
    if (errorKey === 'NOT_SIGNED_IN') return;
    const entry = { ...this.#whoAndWhere(call), userId: null, action: 'sign-in.failed', subject: 'user' } as const;
    if (!this.#admits(entry)) return;
    const { username } = (call.request.body ?? {}) as { username?: unknown };
    const name = typeof username === 'string' ? username : null;
    const subjectId = userId ?? (name === null ? null : await this.#accountOf(name));
    const hash = await auditHash(this.#deps.db);
    const detail = { errorKey, ...(subjectId === null && name !== null ? { username: hash(name) } : {}) };
    await this.#write({ ...entry, subjectId, status: null, patientIds: [], detail });
  }

  #admits({ userId, address, action, subject }: Pick<Entry, 'userId' | 'address' | 'action' | 'subject'>): boolean {
    return this.#refusals.admit({ userId, address, action, subject });
  }

  async #accountOf(username: string): Promise<string | null> {
    const { rows } = await this.#deps.db.query<{ id: string }>(sql`select id from users where username = ${username}`);
    return rows[0]?.id ?? null;
  }

  #whoAndWhere({ request, caller, noted: { address, route } }: Call) {
    const [userId, teamId] = [caller.user?.userId ?? null, caller.actor?.teamId ?? null];
    return { userId, teamId, requestId: request.id, address, route };
  }

  /** One statement, which acts for the user: a transaction of three would cost every call two more round trips. */
  async #write(entry: Entry): Promise<void> {
    const { userId, teamId, action, subject, subjectId, requestId, address, route, status, patientIds, detail } = entry;
    const write = () =>
      this.#deps.db.query(sql`
      insert into audit_entries
        (at, user_id, team_id, action, subject, subject_id, request_id, address, route, status, patient_ids, detail, in_log)
      values (${this.#deps.clock().toISOString()}, nullif(set_config('tidings.user_id', ${userId ?? ''}, true), '')::bigint, ${teamId},
        ${action}, ${subject}, ${subjectId}, ${requestId}, ${address}, ${route}, ${status},
        ${patientIds.length > 0 ? patientIds : null}, ${JSON.stringify(detail)}, ${isLogged(action)})`);
    assertWritten(await (userId === null ? forPurpose('sign-in', write) : write()));
  }
}

/** Returns a call about which nothing is noted yet but the patient in its path. */
export function callOf(request: FastifyRequest, row: Route, route: RouteKey, caller: Call['caller']): Call {
  const named = patientId.safeParse((request.params as Record<string, unknown>)['id']);
  const patientIds = named.success ? [named.data.split('_')[0] ?? ''] : [];
  const noted = { address: request.ip, route, patientIds, asked: {}, isWritten: false, userId: null, refusal: null };
  return { request, row, caller, noted };
}

/** Returns the parameters that the contract has parsed, without the team, which has its own column. */
function partsOf({ request, row, noted }: Call): Record<string, unknown> {
  const part = (schema: unknown, value: unknown) => (schema === undefined ? {} : (value as object));
  const { teamId: _, ...query } = part(row.query, request.query) as Record<string, unknown>;
  return { ...part(row.params, request.params), ...query, ...part(row.body, request.body), ...noted.asked };
}

/** Returns the id in the path: a patient's first part, which names the person, or that of a message, review or upload. */
function subjectOf({ params }: FastifyRequest): string | null {
  const { id: named = '', jobId = '' } = params as Record<string, string>;
  const parsed = id.safeParse((named || jobId).split('_')[0]);
  return parsed.success ? parsed.data : null;
}
