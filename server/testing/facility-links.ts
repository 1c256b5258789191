/** Links for facilities in tests: a hospital with a feed, a team that lists its patient, and what its holder calls. */
import { randomUUID } from 'node:crypto';
import type { LinkAnswer, NewFacilityLink } from '#contract/facility-links.ts';
import type { Permission, StandardRole } from '#contract/permissions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, type TestApp } from './app.ts';
import { type AdtParts, adt, hospital } from './hospital.ts';
import { newPerson } from './pipeline-scene.ts';

const LIST = '/api/patients/:id/facility-links';
export const TOLD: Omit<LinkAnswer, 'note'> = {
  stillHere: false,
  date: '2026-11-19',
  destination: 'HOME',
  contactName: 'Ana Ruiz',
  contactPhone: '585-555-0177',
};

/** The name of the organization that asks about a stay at a scene's hospital. */
export const askingOrganization = ({ name }: { name: string }): string => name.replace('Hospital', 'Lakeshore ACO');

export function linkScenes(app: TestApp) {
  const { make, database, clock } = app;
  const hosp = hospital(database, clock.now, make);

  /** An open stay of a person at a hospital with a feed, without a discharge. */
  async function scene(stay: Partial<AdtParts> = {}) {
    const code = `F-${randomUUID().slice(0, 8)}`;
    const facility = await make.group({ type: 'HOS', facilityType: 'HOS', name: `Hospital ${code}` });
    await hosp.feed(facility.organizationId, { [code]: facility.id });
    const { id: organizationId } = await make.organization({ name: askingOrganization(facility) });
    const { id: groupId } = await make.group({ organizationId });
    const team = await make.team({ organizationId, groupIds: [groupId] });
    const user = async (role: StandardRole = 'care coordinator', removed: Permission[] = []) =>
      make.user({ team, role, removed });
    const creator = await user();
    const client = await signIn(app, creator.username);
    const person = newPerson();
    const listing = await hosp.list(groupId, person);
    const parts = { record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611150900', ...stay };
    const send = (trigger: string, more: Partial<AdtParts>) => hosp.send(adt(trigger, { at: '', ...parts, ...more }));
    await send('A01', { at: '202611150900' });
    const { rows } = await database.pipeline.query<{ id: string }>(
      sql`select id from encounters where group_id = ${facility.id}`,
    );
    const id = `${listing}_${rows[0]?.id}`;
    const [year, month, day] = person.birthDate.split('-');
    const birthDate = `${month}/${day}/${year}`;
    return { facility, organizationId, groupId, team, user, creator, client, person, listing, send, id, birthDate };
  }

  /** Creates a link to copy, and returns its token. */
  async function create(client: Client, id: string, over: Partial<NewFacilityLink> = {}) {
    const body = { purpose: 'CONFIRM_DISCHARGE' as const, recipient: null, hours: 72, ...over };
    const made = await client.call(`POST ${LIST}`, { params: { id }, body });
    return { ...made, linkId: made.links[0]?.id ?? '', token: made.url?.split('#')[1] ?? '' };
  }

  const holder = anonymous(app);
  const open = (token: string, birthDate: string) =>
    holder.call('POST /api/facility-links/open', { body: { token, birthDate } });
  /** Answers, and processes what comes of it. */
  async function answer(token: string, birthDate: string, over: Partial<LinkAnswer> = {}) {
    await holder.call('POST /api/facility-links/answer', { body: { token, birthDate, answer: { ...TOLD, ...over } } });
    await hosp.queue.drain();
  }
  /** Uploads a file, and processes what comes of it; returns the response. */
  async function upload(token: string, birthDate: string, file: Buffer | string, over: object = {}): Promise<Response> {
    const form = new FormData();
    const { contactName, contactPhone } = TOLD;
    form.set('upload', JSON.stringify({ token, birthDate, contactName, contactPhone, note: '', ...over }));
    form.set('file', new Blob([file]), 'summary of Jane Doe.pdf');
    const response = await holder.fetch('/api/facility-links/upload', { method: 'POST', body: form });
    await hosp.queue.drain();
    return response;
  }
  const list = (client: Client, id: string) => client.call(`GET ${LIST}`, { params: { id } });
  async function revoke(client: Client, id: string, linkId: string) {
    const links = await client.call(`DELETE ${LIST}/:linkId`, { params: { id, linkId } });
    await hosp.queue.drain();
    return links;
  }
  const audited = async (linkId: string): Promise<string[]> => {
    const { rows } = await database.pipeline.query<{ action: string }>(
      sql`select action from audit_entries where detail ->> 'linkId' = ${linkId} order by id`,
    );
    return rows.map(({ action }) => action.replace('facility-link.', ''));
  };
  /** The mails to an address. */
  const mailsTo = async (recipient: string) => {
    const { rows } = await database.pipeline.query<{ subject: string; body: string }>(
      sql`select subject, body from outbox where recipient = ${recipient} order by id`,
    );
    return rows;
  };
  return { hosp, scene, create, holder, open, answer, upload, list, revoke, audited, mailsTo };
}
