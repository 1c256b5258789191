/** Tokens of feeds whose systems post documents or FHIR messages: issued, replaced and revoked by those who manage all facilities of the feed. Only hashes are stored. */
import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import { checkWholeFeed } from '#server/intake/feeds/list-feeds.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { hashOf, newToken } from '#server/people/accounts/token-hash.ts';
import { type AdminDeps, administer, type Change, readAsAdmin } from '#server/people/admin/administer.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** Hours that a replaced token still works, so that the sender can change it without a gap. */
const GRACE_HOURS = 24;
const MOST_TOKENS = 5;

type Token = RouteAnswer<'GET /api/admin/feeds/:id/tokens'>[number];

/** Returns the tokens that work. Errors: NOT_FOUND, NOT_PERMITTED. */
export function listTokens({ db }: AdminDeps, { actor, now }: ActorCall, feedId: string): Promise<Token[]> {
  return readAsAdmin(db, actor, async (tx) => {
    await checkWholeFeed(tx, feedId);
    return tokensOf(tx, feedId, now);
  });
}

async function tokensOf(tx: Queryable, feedId: string, now: Date): Promise<Token[]> {
  const { rows } = await tx.query<Token>(sql`
    select t.id, t.ending, t.created_at as "createdAt", name_of_user(t.created_by) as "createdBy", t.expires_at as "expiresAt",
      t.last_used_at as "lastUsedAt"
    from document_tokens t
    where t.feed_id = ${feedId} and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now})
    order by t.created_at desc, t.id desc`);
  return rows;
}

/** Issues a token, the only time that it is shown. Errors: NOT_FOUND, also for a feed of HL7 v2; NOT_PERMITTED; BAD_REQUEST for too many. */
export function issueToken(
  { db }: AdminDeps,
  deed: ActorCall,
  feedId: string,
  { replaces }: RouteInput<'POST /api/admin/feeds/:id/tokens'>['body'],
): Promise<RouteAnswer<'POST /api/admin/feeds/:id/tokens'>> {
  return administer(db, deed, async ({ tx, scope, now, audit }: Change) => {
    await checkWholeFeed(tx, feedId);
    const { rowCount } = await tx.query(
      sql`select from feeds where id = ${feedId} and kind in ('CCDA', 'FHIR') for update`,
    );
    if (rowCount === 0) throw new ApiError('NOT_FOUND');
    const known = await tokensOf(tx, feedId, now);
    if (known.length >= MOST_TOKENS) {
      throw new ApiError('BAD_REQUEST', {
        message: `A feed can have ${MOST_TOKENS} tokens. Revoke one that is no longer used.`,
      });
    }
    const token = newToken();
    const ending = token.slice(-4);
    const { rows } = await tx.query<{ id: string }>(sql`
      insert into document_tokens (feed_id, token_hash, ending, created_at, created_by)
      values (${feedId}, ${hashOf(token)}, ${ending}, ${now}, ${scope.userId}) returning id`);
    const id = rows[0]?.id ?? '';
    if (replaces !== undefined) {
      const until = new Date(now.getTime() + GRACE_HOURS * 3_600_000);
      const ended = await tx.query(sql`
        update document_tokens set expires_at = least(expires_at, ${until})
        where id = ${replaces} and feed_id = ${feedId} and revoked_at is null`);
      if (ended.rowCount === 0) throw new ApiError('NOT_FOUND');
    }
    await audit({
      action: 'feed.token-issue',
      subject: 'feed',
      subjectId: feedId,
      detail: { tokenId: id, replaces: replaces ?? null },
    });
    const [issued] = (await tokensOf(tx, feedId, now)).filter((each) => each.id === id);
    return { ...(issued as Token), token };
  });
}

/** Revokes a token at once. Errors: NOT_FOUND, NOT_PERMITTED. */
export function revokeToken({ db }: AdminDeps, deed: ActorCall, feedId: string, tokenId: string): Promise<void> {
  return administer(db, deed, async ({ tx, scope, now, audit }: Change) => {
    await checkWholeFeed(tx, feedId);
    const { rowCount } = await tx.query(sql`
      update document_tokens set revoked_at = ${now}, revoked_by = ${scope.userId}
      where id = ${tokenId} and feed_id = ${feedId} and revoked_at is null`);
    if (rowCount === 0) throw new ApiError('NOT_FOUND');
    await audit({ action: 'feed.token-revoke', subject: 'feed', subjectId: feedId, detail: { tokenId } });
  });
}
