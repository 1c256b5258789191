/**
 * Runs the demo region's past through the real intake: rosters are uploaded, then messages are stored and processed in the order in which
 * they were sent. The clock is set back, so that an event of a year ago does not count as late.
 */
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import type { ManualEntry as StoredEntry } from '#server/intake/messages/read-message.ts';
import type { ReceivedMessage } from '#server/intake/messages/received-message.ts';
import { describeMessage } from '#server/intake/mllp/describe-message.ts';
import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { makePipeline } from '#server/pipeline.ts';
import { instantOfLocal } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { endListings } from '#server/record/listings/end-listings.ts';
import { processUpload } from '#server/work/rosters/process.ts';
import { type ReceiveDeps, receiveUpload } from '#server/work/rosters/upload.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { pastActs } from './past-acts.ts';
import type { ManualEntry } from './world/chapter.ts';
import { documentMessages } from './world/documents.ts';
import { frontDeskMessages } from './world/front-desk.ts';
import { ROSTER_GROUPS, type RosterGroup, rosterCsvLines } from './world/rosters.ts';
import { unknownSendersMessages } from './world/unknown-sender.ts';
import { rosterCsv, type World } from './world/world.ts';
import { writeCare } from './write-care.ts';
import { writeContactAttempts } from './write-contact-attempts.ts';
import { writeExports } from './write-exports.ts';
import { writeFacilityLink } from './write-facility-links.ts';
import { forgetUsual, writeDismissal } from './write-feed-health.ts';
import { writeHeld } from './write-held.ts';
import { writeHl7Programs } from './write-hl7-programs.ts';
import { writeNotifications } from './write-notifications.ts';
import { writePastStatuses } from './write-past-statuses.ts';
import { writeRosters } from './write-rosters.ts';
import { writeSettings } from './write-settings.ts';
import { writeSpotlights } from './write-spotlights.ts';
import { writeStayWork } from './write-stay-work.ts';
import { writeTags } from './write-tags.ts';
import { writeWaivers } from './write-waivers.ts';

interface Databases {
  app: Database;
  pipeline: Database;
}

export interface PastDeps extends Databases {
  log: Logger;
  /** Where browsers reach us; mails link there. */
  publicUrl: string;
}

const DAY = 86_400_000;
/** How much of the past is processed at a time. */
const STEP = 5 * DAY;

export async function replayPast(
  { app, pipeline, log, publicUrl }: PastDeps,
  world: World,
  directory: DemoDirectory,
): Promise<void> {
  const from = Date.parse(world.options.from);
  const to = Date.parse(world.options.to);
  let now = new Date(from);
  const clock = () => now;
  await ensurePartitions(pipeline, new Date(to), now);
  await uploadRosters({ app, pipeline }, world, directory, now);
  await writeSettings(app, directory, now);
  await writeHl7Programs(app, directory, now);
  const acts = pastActs({ app, pipeline, publicUrl }, world, directory);
  const store = new MessageStore(pipeline);
  const queue = new MessageQueue({ database: pipeline, process: makePipeline(clock), log, clock });
  const { region, options } = world;
  const documents = documentMessages({ region, seed: options.seed, to }, world.chapters);
  const senders = [frontDeskMessages, unknownSendersMessages].flatMap((of) => of({ seed: options.seed, to }));
  const messages = [...[...world.messages, ...documents, ...senders].map(received), ...enteredByHand(world, directory)];
  messages.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  for (let start = from, next = 0; start < to; start += STEP) {
    const end = Math.min(start + STEP, to);
    const first = next;
    while (next < messages.length && (messages[next] as ReceivedMessage).receivedAt.getTime() <= end) next += 1;
    await Promise.all(messages.slice(first, next).map((message) => store.receive(message)));
    now = new Date(end);
    await Promise.all([queue.drain(), queue.drain()]);
    // Day by day: closing visits at the end of the step would make their CLOSED pings late.
    let closed = 0;
    for (let day = start + DAY; day <= end; day += DAY)
      closed += await closeHangingVisits(pipeline, store, new Date(day));
    if (closed > 0) await queue.drain();
    await pipeline.transaction((tx) => endListings(tx, now));
    for (const act of acts) if (start < act.at && act.at <= end) await act.run(now);
  }
  await uploadWithoutLeavers({ app, pipeline }, world, directory, now);
  await pipeline.transaction(async (tx) => {
    await writeTags(tx, directory, now);
    await writeSpotlights(tx, directory, now);
    await writeCare(tx, directory, now);
    await writeContactAttempts(tx, directory, now);
  });
  await writeWaivers({ app, pipeline }, directory, now);
  await writePastStatuses(pipeline, world, directory);
  await writeStayWork({ app, pipeline }, directory, now);
  await writeNotifications(app, directory, now);
  await writeDismissal(app, directory, now);
  const lively = world.region.feeds.map(({ sendingApplication }) => sendingApplication);
  await forgetUsual(pipeline, lively, now);
  await writeHeld({ db: app, pipeline }, directory, now);
  await writeExports({ app, pipeline }, directory, now);
  const config = { publicUrl, smtp: null, demo: true };
  await writeRosters({ app, pipeline }, world, directory, now);
  await writeFacilityLink({ db: app, pipeline, store, config }, directory, now);
}

/** Converts a message of the world to what the store accepts. */
export function received({ at, bytes }: { at: number; bytes: Buffer }): ReceivedMessage {
  return describeMessage(bytes, new Date(at), 'demo');
}

/** Returns everything that the staff of manual facilities entered. */
export function enteredByHand(world: World, directory: DemoDirectory): ReceivedMessage[] {
  const numbers = new Map(world.truth.visits.map((visit) => [visit.visit, visit.visitNumber]));
  return world.manualEntries.map((entry) => entered(entry, numbers.get(entry.visit) ?? entry.visit, world, directory));
}

/** Converts a manual entry, which has a day and no time, to what the store accepts. */
function entered(entry: ManualEntry, visitNumber: string, world: World, directory: DemoDirectory): ReceivedMessage {
  const group = world.region.groups.find(({ key }) => key === entry.facility);
  const at: Moment = {
    instant: `${new Date(instantOfLocal(Date.parse(`${entry.date}T00:00:00Z`), group?.timeZone ?? 'UTC')).toISOString().slice(0, 19)}Z`,
    localDate: entry.date,
    precision: 'day',
  };
  const { patient } = entry;
  const controlId = `${entry.visit}-${entry.step}`;
  const ends = entry.code === 'DISCHARGE' || entry.code === 'ENDED_SERVICES' || entry.code === 'DECEASED';
  const stored: StoredEntry = {
    groupId: idOf(directory.groups, entry.facility),
    manualCode: entry.code,
    adt: {
      trigger: 'MANUAL',
      controlId,
      sentAt: at,
      recordedAt: null,
      occurredAt: at,
      facilityIdentifier: entry.facility,
      patient: {
        recordNumber: entry.recordNumber,
        identifiers: [],
        name: {
          family: patient.family,
          given: patient.given,
          middle: patient.middle || null,
          suffix: patient.suffix || null,
        },
        birthDate: patient.birthDate,
        sex: patient.sex,
        address: patient.address,
        phones: patient.phone ? [patient.phone] : [],
        email: patient.email,
        ssnLast4: patient.ssnLast4,
        medicareId: patient.medicareId,
      },
      visit: {
        visitNumber,
        payers: [{ code: null, company: entry.payer, plan: null, memberId: null }],
        ...(ends ? { dischargedAt: at, disposition: entry.disposition } : {}),
      },
      merge: null,
      contentHash: controlId,
    },
  };
  return {
    source: 'MANUAL',
    raw: Buffer.from(JSON.stringify(stored)),
    receivedAt: new Date(entry.enteredAt),
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: stored.groupId,
    controlId,
    messageType: `MANUAL^${entry.code}`,
    patientKey: entry.recordNumber,
  };
}

/** Uploads the world's rosters, each as an administrator of its group, as the rosters page does. */
export async function uploadRosters(deps: Databases, world: World, directory: DemoDirectory, now: Date): Promise<void> {
  for (const key of ROSTER_GROUPS) await uploadRoster(deps, { world, directory, key }, rosterCsv(world, key), now);
}

/** Uploads the practice's roster again, without patients who have left it. */
async function uploadWithoutLeavers(deps: Databases, world: World, directory: DemoDirectory, now: Date): Promise<void> {
  const key = 'harborview';
  const stayed = world.rosters[key].filter(({ person }) => person % 25 !== 0);
  await uploadRoster(deps, { world, directory, key }, [...rosterCsvLines(stayed)].join(''), now);
}

async function uploadRoster(
  { app, pipeline }: Databases,
  { world, directory, key }: { world: World; directory: DemoDirectory; key: RosterGroup },
  csv: string,
  now: Date,
): Promise<void> {
  const groupId = idOf(directory.groups, key);
  const team = world.region.teams.find(({ groups }) => groups.includes(key));
  const uploader = world.region.users.find(({ grants }) =>
    grants.some((grant) => grant.team === team?.key && grant.role === 'administrator'),
  );
  const actor =
    team && uploader && (await loadActor(app, idOf(directory.users, uploader.key), idOf(directory.teams, team.key)));
  if (!actor) throw new Error(`The demo region has no user who can upload the roster of '${key}'`);
  const file = {
    name: `${key}.csv`,
    bytes: Readable.from([Buffer.from(csv)]),
    relationship: 'CARE_COORDINATION' as const,
  };
  const asUploader: ReceiveDeps['asUploader'] = (fn) => asActor(app, actor, 'canUploadRoster', fn);
  const job = await receiveUpload({ asUploader, clock: () => now }, groupId, file);
  await processUpload(pipeline, job.jobId, { clock: () => now });
}
