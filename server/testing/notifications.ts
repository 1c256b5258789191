/** Notifications in tests: facilities that send, teams with saved filters, and the job that notifies. All people are made up. */
import { randomUUID } from 'node:crypto';
import type { NotificationPreferenceFields } from '#contract/notifications.ts';
import type { SavedFilterFields } from '#contract/saved-filters.ts';
import { sql } from '#server/platform/database/sql.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { notify } from '#server/work/notifications/notify.ts';
import { type Client, type Overrides, signIn, startApp, type TestApp } from './app.ts';
import type { TestDatabase } from './database.ts';
import { type AdtParts, adt, type Hospital, hospital, type TestPerson } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';
import { PATH } from './saved-filters.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

const AT_ONCE: NotificationPreferenceFields = { email: true, text: false, timing: 'AT_ONCE', hour: 8, muted: false };

export const setNotification = (
  client: Client,
  filterId: string,
  over: Partial<NotificationPreferenceFields> = {},
): Promise<unknown> =>
  client.call('PUT /api/notification-filter-preferences/:id', {
    params: { id: filterId },
    body: { ...AT_ONCE, ...over },
  });

const saveFilter = async (client: Client, over: Partial<SavedFilterFields> = {}): Promise<string> => {
  const body = { name: `Filter ${randomUUID()}`, searchContext: 'PINGS' as const, ...over };
  return (await client.call(`POST ${PATH}`, { body })).id;
};

export async function startNotificationApp(overrides: Overrides = {}) {
  const app = await startApp(overrides);
  const { make, clock, database } = app;
  const hosp = hospital(database, clock.now, make);
  const deps = { app: database.app, pipeline: database.pipeline, publicUrl: 'http://tidings.test' };

  /** Runs the job that notifies. The first run only notes where the change log begins. */
  const work = () => notify(deps, clock.now());
  /** Runs the job when something arrives, and again when its messages are due. */
  const deliver = async (after = MINUTE): Promise<void> => {
    await work();
    clock.advance(after);
    await work();
  };
  await work();
  return {
    app,
    make,
    clock,
    database,
    hosp,
    work,
    deliver,
    saveFilter,
    ...offices(app),
    ...senders(app, hosp),
    ...lettersIn(database),
  };
}

type NewOffice = Parameters<TestApp['make']['user']>[0] & { groups?: number };

/** Teams and their users. */
function offices(app: TestApp) {
  const { make, database } = app;

  /** A program with a team, and one of its users. */
  async function office({ groups = 1, ...user }: NewOffice = {}) {
    const { id: organizationId } = await make.organization();
    const groupIds: string[] = [];
    for (let n = 0; n < groups; n += 1) groupIds.push((await make.group({ organizationId })).id);
    const team = await make.team({ organizationId, groupIds });
    const member = await make.user({ team, role: 'administrator', ...user });
    const client = await signIn(app, member.username);
    return { team, groupIds: groupIds as [string, ...string[]], groupId: groupIds[0] as string, ...member, client };
  }

  let numbers = 1000;
  /** Gives the user a confirmed number, and returns it. */
  async function confirmNumber(userId: string): Promise<string> {
    const phone = `+1212555${++numbers}`;
    await database.pipeline.query(sql`update users set notification_phone = ${phone} where id = ${userId}`);
    return phone;
  }

  /** An office whose user is notified of every new ping. */
  async function notified(of: NewOffice = {}, over: Partial<NotificationPreferenceFields> = {}) {
    const own = await office(of);
    if (over.text) await confirmNumber(own.id);
    const filterId = await saveFilter(own.client);
    await setNotification(own.client, filterId, over);
    return { ...own, filterId };
  }

  return { office, confirmNumber, notified };
}

/** Facilities with feeds, and the people whom they send messages about. */
function senders({ make, clock, database }: TestApp, hosp: Hospital) {
  async function facility({ isPart2 = false, isBackfill = false } = {}) {
    const { id, organizationId } = await make.group({ type: 'HOS', facilityType: 'HOS' });
    await database.pipeline.query(sql`update groups set is_part2_facility = ${isPart2} where id = ${id}`);
    const code = `F-${randomUUID().slice(0, 8)}`;
    await hosp.feed(organizationId, { [code]: id }, { isBackfill });
    /** Sends a message about a person, whose record number and visit are the person's family name. */
    const send = (trigger: string, person: TestPerson, more: Partial<AdtParts> & { minutesAgo?: number } = {}) => {
      const { minutesAgo = 0, ...parts } = more;
      const at = localTime(clock.now().getTime() - minutesAgo * MINUTE);
      const record = person.family.toUpperCase();
      return hosp.send(
        adt(trigger, { at, record, visit: `V-${record}`, facility: code, person, admitted: at, ...parts }),
      );
    };
    return { id, send };
  }

  /** A new person whom these groups list. */
  async function listed(groupIds: readonly string[], over: Partial<TestPerson> = {}): Promise<TestPerson> {
    const person = newPerson(over);
    const [first, last] = [sortKey(person.given), sortKey(person.family)];
    for (const groupId of groupIds) {
      const id = await hosp.list(groupId, person);
      await database.pipeline.query(
        sql`update roster_patients set sort_first = ${first}, sort_last = ${last} where id = ${id}`,
      );
    }
    return person;
  }

  return { facility, listed };
}

interface StoredLetter {
  id: string;
  channel: string;
  recipient: string;
  subject: string;
  body: string;
  state: string;
  failure: string | null;
  topic: string;
}

function lettersIn(database: TestDatabase) {
  /** The user's letters that are not about the account, oldest first, and what became of them. */
  async function lettersOf(userId: string): Promise<StoredLetter[]> {
    const { rows } = await database.owner.query<StoredLetter>(sql`
      select id, channel, recipient, subject, body, state, failure, topic from outbox
      where user_id = ${userId} and topic <> 'ACCOUNT' order by id`);
    return rows;
  }
  const subjectsTo = async (userId: string) => (await lettersOf(userId)).map(({ subject }) => subject);
  return { lettersOf, subjectsTo };
}

/** In New York in winter, as HL7 writes it. */
export const localTime = (at: number): string =>
  new Date(at - 5 * HOUR).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12);
