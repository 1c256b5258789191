import { dismiss } from '#server/intake/messages/dismiss.ts';
import { listMessages } from '#server/intake/messages/list-messages.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { DemoDirectory } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

const HEDDA: Seat = { user: 'hedda.quill', team: 'mercy-navigators' };
const TEST_MESSAGE = 'FDTEST1';

/** Dismisses one of the two test messages that the urgent care's front desk left in quarantine, as the administrator there does. */
export async function writeDismissal(app: Database, directory: DemoDirectory, now: Date): Promise<void> {
  const actor = await seated(app, directory, HEDDA);
  const { messages } = await asActor(app, actor, 'canManageUsers', (tx) =>
    listMessages(tx, { controlId: TEST_MESSAGE, status: 'QUARANTINED', pageNumber: 1, pageSize: 1 }),
  );
  const [message] = messages;
  if (!message) throw new Error(`The demo's front desk has no quarantined message '${TEST_MESSAGE}'`);
  const reason = { cause: 'TEST', note: 'Kiosk test by the vendor' } as const;
  await dismiss(app, actor, message.id, reason, { now, requestId: 'demo' });
}
