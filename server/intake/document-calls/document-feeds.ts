/** Feeds of documents: one facility, and tokens in place of a sender that an operator approves. */
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { RouteInput } from '#contract/routes.ts';
import { checkFacilities } from '#server/intake/feeds/check-sender.ts';
import { lockFeeds } from '#server/intake/feeds/feed-lookup.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type AdminDeps, administer, rejectDuplicate } from '#server/people/admin/administer.ts';
import { organizationOfGroup } from '#server/people/admin/directory/group-queries.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Sets up a feed of documents. Errors: NOT_PERMITTED for a facility that the administrator doesn't manage, BAD_REQUEST for a program, NAME_TAKEN. */
export function addDocumentFeed(
  { db }: AdminDeps,
  deed: ActorCall,
  { name, groupId, timeZone }: RouteInput<'POST /api/admin/document-feeds'>['body'],
): Promise<{ id: string }> {
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const organizationId = scope.isOperator ? await organizationOfGroup(tx, groupId) : scope.organizationId;
    await checkFacilities(change, organizationId, [{ identifier: '*', groupId, registrationIsVisit: false }]);
    await lockFeeds(tx);
    const settings = timeZone === DEFAULT_FEED_SETTINGS.timeZone ? {} : { timeZone };
    const insert = tx.query<{ id: string }>(sql`
      with added as (select nextval(pg_get_serial_sequence('feeds', 'id')) as id)
      insert into feeds (id, organization_id, name, kind, sending_application, settings, created_at, approved_at, approved_by)
      overriding system value
      select id, ${organizationId}, ${name}, 'CCDA', 'Document feed ' || id, ${JSON.stringify(settings)}, ${now}, ${now}, ${scope.userId}
      from added returning id`);
    const { rows } = await rejectDuplicate('NAME_TAKEN', insert);
    const id = rows[0]?.id ?? '';
    await tx.query(sql`insert into feed_facilities (feed_id, identifier, group_id) values (${id}, '*', ${groupId})`);
    await audit({ action: 'feed.add', subject: 'feed', subjectId: id, detail: { kind: 'CCDA', groupId } });
    return { id };
  });
}
