import type { RouteInput } from '#contract/routes.ts';
import type { Client } from './app.ts';

/** Approves, as an operator, the sender that waits in a feed. */
export async function approveFeed(operator: Client, id: string): Promise<{ messages: number }> {
  const waiting = (await operator.call('GET /api/feeds', {})).find((feed) => feed.id === id)?.waiting;
  const body = { version: waiting?.version ?? '' };
  return operator.call('POST /api/admin/feeds/:id/approve', { params: { id }, body });
}

/** Adds a feed as an administrator and approves it as an operator. */
export async function addApprovedFeed(
  { admin, operator }: { admin: Client; operator: Client },
  body: RouteInput<'POST /api/admin/feeds'>['body'],
): Promise<{ id: string; messages: number }> {
  const { id } = await admin.call('POST /api/admin/feeds', { body });
  return { id, ...(await approveFeed(operator, id)) };
}
