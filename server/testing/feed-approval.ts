import type { RouteInput } from '#contract/routes.ts';
import type { Client } from './app.ts';

/** Approves, as an operator, the sender that waits in a feed. */
export async function approveFeed(operator: Client, id: string): Promise<{ messages: number }> {
  return operator.call('POST /api/admin/feeds/:id/approve', await seen(operator, id));
}

/** Declines, as an operator, the sender that waits in a feed. */
export async function declineFeed(operator: Client, id: string): Promise<void> {
  await operator.call('POST /api/admin/feeds/:id/decline', await seen(operator, id));
}

/** Returns what a decision about the sender that waits now sends. */
async function seen(operator: Client, id: string) {
  const waiting = (await operator.call('GET /api/feeds', {})).find((feed) => feed.id === id)?.waiting;
  return { params: { id }, body: { version: waiting?.version ?? '' } };
}

/** Adds a feed as an administrator and approves it as an operator. */
export async function addApprovedFeed(
  { admin, operator }: { admin: Client; operator: Client },
  body: RouteInput<'POST /api/admin/feeds'>['body'],
): Promise<{ id: string; messages: number }> {
  const { id } = await admin.call('POST /api/admin/feeds', { body });
  return { id, ...(await approveFeed(operator, id)) };
}
