/** Spotlights that users keep: a question, which is read anew each time. A team may share them. */
import { CUSTOM_SPOTLIGHTS_LIMIT, type CustomSpotlight, type CustomSpotlightFields } from '#contract/spotlights.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { findFilter } from '#server/work/saved-filters/queries.ts';

export interface CustomContext extends ActorCall {
  /** Connected as the app role. */
  db: Database;
}

type Row = Omit<CustomSpotlight, 'owner' | 'mayChange' | 'lacksFilter'> & {
  isOwn: boolean;
  ownerName: string | null;
  hasFilter: boolean;
};

const asReader = <T>({ db, actor }: Pick<CustomContext, 'db' | 'actor'>, fn: (tx: ActorTransaction) => Promise<T>) =>
  asActor(db, actor, 'canViewCustomSpotlights', fn);

/** Returns the user's own by title, then those of colleagues. */
export function listCustom(context: Pick<CustomContext, 'db' | 'actor'>): Promise<CustomSpotlight[]> {
  return asReader(context, (tx) => readCustom(tx, null));
}

async function readCustom(tx: ActorTransaction, id: string | null): Promise<CustomSpotlight[]> {
  const { actor } = tx;
  const { rows } = await tx.query<Row>(sql`
    select s.id, s.title, s.name, s.period, s.breakdown, s.group_id as "groupId", s.filter_id as "filterId", s.has_filter as "hasFilter",
      f.name as "filterName", s.shared_at is not null as "isShared", s.user_id = ${actor.userId} as "isOwn", o.name as "ownerName"
    from custom_spotlights s
      left join saved_filters f on f.id = s.filter_id
      left join owners_of_shared_spotlights() o on o.spotlight_id = s.id
    where s.team_id = ${actor.teamId} and (s.user_id = ${actor.userId} or s.shared_at is not null) and (${id}::bigint is null or s.id = ${id}::bigint)
    order by s.user_id <> ${actor.userId}, lower(s.title), s.id`);
  return rows.map(({ isOwn, ownerName, hasFilter, ...row }) => ({
    ...row,
    lacksFilter: hasFilter && row.filterName === null,
    owner: { name: isOwn ? actor.displayName : (ownerName ?? ''), isYou: isOwn },
    mayChange: isOwn || (row.isShared && actor.can('canManageUsers')),
  }));
}

async function requireCustom(tx: ActorTransaction, id: string): Promise<CustomSpotlight> {
  const [found] = await readCustom(tx, id);
  if (!found) throw new ApiError('NOT_FOUND');
  return found;
}

/** Keeps a spotlight. Errors: BAD_REQUEST with fields, NOT_FOUND for a group or filter of others, TOO_MANY_FILTERS. */
export function createCustom(context: CustomContext, fields: CustomSpotlightFields): Promise<CustomSpotlight> {
  const { actor, now, requestId } = context;
  return asReader(context, async (tx) => {
    await checkFields(tx, fields);
    const { rows } = await tx.query<{ id: string }>(sql`
      insert into custom_spotlights
        (user_id, team_id, title, name, period, breakdown, group_id, filter_id, has_filter, shared_at, created_at, updated_at)
      select ${actor.userId}, ${actor.teamId}, ${fields.title}, ${fields.name}, ${fields.period}, ${fields.breakdown}, ${fields.groupId}::bigint,
        ${fields.filterId}::bigint, ${fields.filterId !== null}::boolean, ${fields.isShared ? now : null}::timestamptz, ${now}, ${now}
      where (select count(*) from custom_spotlights s where s.user_id = ${actor.userId} and s.team_id = ${actor.teamId}) < ${CUSTOM_SPOTLIGHTS_LIMIT}
      returning id`);
    const [created] = rows;
    if (!created) {
      const message = `You have ${CUSTOM_SPOTLIGHTS_LIMIT} spotlights of your own, which is the limit. Delete one to keep another.`;
      throw new ApiError('TOO_MANY_FILTERS', { message });
    }
    await writeAuditAs(tx, actor, {
      action: 'spotlight.create',
      subject: 'spotlight',
      subjectId: created.id,
      requestId,
      now,
    });
    return requireCustom(tx, created.id);
  });
}

/** Changes a spotlight. Errors: as `createCustom`, and NOT_PERMITTED for a colleague's. */
export function changeCustom(
  context: CustomContext,
  id: string,
  fields: CustomSpotlightFields,
): Promise<CustomSpotlight> {
  const { actor, now, requestId } = context;
  return asReader(context, async (tx) => {
    const { mayChange } = await requireCustom(tx, id);
    if (!mayChange) throw new ApiError('NOT_PERMITTED');
    await checkFields(tx, fields);
    await tx.query(sql`
      update custom_spotlights set title = ${fields.title}, name = ${fields.name}, period = ${fields.period}, breakdown = ${fields.breakdown},
        group_id = ${fields.groupId}::bigint, filter_id = ${fields.filterId}::bigint, has_filter = ${fields.filterId !== null}::boolean,
        shared_at = case when ${fields.isShared}::boolean then coalesce(shared_at, ${now}::timestamptz) end, updated_at = ${now}
      where id = ${id}`);
    await writeAuditAs(tx, actor, { action: 'spotlight.change', subject: 'spotlight', subjectId: id, requestId, now });
    // An administrator who stops sharing a colleague's spotlight no longer sees it.
    const [changed] = await readCustom(tx, id);
    if (!changed) throw new ApiError('NOT_FOUND');
    return changed;
  });
}

/** Deletes a spotlight. Errors: NOT_FOUND, NOT_PERMITTED. */
export function deleteCustom(context: CustomContext, id: string): Promise<void> {
  const { actor, now, requestId } = context;
  return asReader(context, async (tx) => {
    const { mayChange } = await requireCustom(tx, id);
    if (!mayChange) throw new ApiError('NOT_PERMITTED');
    await tx.query(sql`delete from custom_spotlights where id = ${id}`);
    await writeAuditAs(tx, actor, { action: 'spotlight.delete', subject: 'spotlight', subjectId: id, requestId, now });
  });
}

async function checkFields(
  tx: ActorTransaction,
  { groupId, filterId, isShared }: CustomSpotlightFields,
): Promise<void> {
  if (groupId !== null && !tx.actor.groupsWith('canViewSpotlights').includes(groupId)) throw new ApiError('NOT_FOUND');
  if (filterId === null) return;
  const filter = await findFilter(tx, tx.actor, filterId);
  if (!filter) throw new ApiError('NOT_FOUND');
  if (isShared && !filter.isShared) {
    const message =
      'Share this saved filter with the team first, or leave it out: a shared spotlight needs a shared filter.';
    throw badField('filterId', message);
  }
}
