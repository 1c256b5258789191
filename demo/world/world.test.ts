import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EVENT_CODES, type EventCode } from '#contract/event-codes.ts';
import { countWorld } from '#server/testing/world-counts.ts';
import { fieldOf, segmentsOf } from './hl7-test-reader.ts';
import { ageOf, YOUNGEST_RESIDENT } from './people.ts';
import { arrivals, demoWorldOptions, expectedPings, makeWorld, streamMessages, type World } from './world.ts';

const options = demoWorldOptions('2026-11-20T12:00:00Z');
const world = makeWorld(options);
const small = { ...options, people: 150, visits: 300 };

const fingerprint = (messages: Iterable<{ at: number; bytes: Buffer }>) => {
  const hash = createHash('sha256');
  for (const message of messages) hash.update(String(message.at)).update(message.bytes);
  return hash.digest('hex');
};

test('the same options make the same world to the byte, and another seed a different one', () => {
  const again = makeWorld(small);
  expect(fingerprint(again.messages)).toBe(fingerprint(makeWorld(small).messages));
  expect(again.truth).toEqual(makeWorld(small).truth);
  expect(fingerprint(again.messages)).not.toBe(fingerprint(makeWorld({ ...small, seed: 'other' }).messages));
});

test('a streamed world has the same messages in the same order', () => {
  expect(fingerprint(streamMessages(small))).toBe(fingerprint(makeWorld(small).messages));
});

test('the demo has enough of everything', () => {
  const counts = countWorld(world);
  expect(counts.people).toBeGreaterThanOrEqual(2000);
  expect(counts.visits).toBeGreaterThan(2000);
  for (const code of EVENT_CODES) expect(counts.events[code], code).toBeGreaterThanOrEqual(20);
  const tens = [
    'merges',
    'cancels',
    'readmissions',
    'nursingStays',
    'missingDiagnoses',
    'lateMessages',
    'toReview',
    'twins',
    'twinVisits',
  ] as const;
  for (const what of tens) expect(counts[what], what).toBeGreaterThanOrEqual(10);
  expect(counts.duplicates).toBeGreaterThanOrEqual(10);
  expect(counts.reusedControlIds).toBeGreaterThanOrEqual(5);
  expect(counts.openVisits).toBeGreaterThan(20);
});

test('nobody is too young for a nursing facility or an illness', () => {
  const ages = new Map(world.people.map((person) => [person.id, ageOf(person)]));
  const states = world.visits.flatMap(({ initial, steps }) => [initial, ...steps.map(({ state }) => state)]);
  for (const { person, setting, diagnoses } of states) {
    const age = ages.get(person) ?? 0;
    if (setting === 'SNF') expect(age).toBeGreaterThanOrEqual(YOUNGEST_RESIDENT);
    for (const { condition } of diagnoses) expect(age, condition.text).toBeGreaterThanOrEqual(condition.youngest ?? 0);
  }
});

test('few people share a family name', () => {
  const households = Map.groupBy(world.people, ({ family }) => family);
  const counts = [...households.values()].map((members) => new Set(members.map(({ household }) => household)).size);
  expect(Math.max(...counts)).toBeLessThan(20);
});

test('open stays include some over their expected length, some within it, and some without one', () => {
  const going = world.visits.filter((visit) => ['OPEN', 'ON_LEAVE'].includes(visit.steps.at(-1)?.state.status ?? ''));
  const shares = (setting: string) => {
    const expected = going
      .map((visit) => visit.steps.at(-1)?.state)
      .filter((state) => state?.setting === setting)
      .map((state) => state?.expectedDischarge ?? null);
    const today = options.to.slice(0, 10);
    const over = expected.filter((day) => day !== null && day < today).length;
    const none = expected.filter((day) => day === null).length;
    return { over, within: expected.length - over - none, none };
  };
  for (const setting of ['SNF', 'INPATIENT'])
    for (const [what, count] of Object.entries(shares(setting)))
      expect(count, `${setting} ${what}`).toBeGreaterThanOrEqual(3);
  expect(shares('SNF').over).toBeGreaterThanOrEqual(8);
});

test('each sender reports the expected stay in its own field: a date, or days from the admission', () => {
  const visits = new Map(world.visits.map((visit) => [visit.id, visit]));
  const said = world.messages.flatMap(({ feed, bytes, visit, step }) => {
    const state = visits.get(visit)?.steps[step]?.state;
    const [day, days] = [fieldOf(bytes, 'PV2', 9), fieldOf(bytes, 'PV2', 10)];
    if (!state || (day === '' && days === '')) return [];
    return [{ feed, day, days, expected: state.expectedDischarge?.replaceAll('-', '') }];
  });
  expect(said.length).toBeGreaterThan(500);
  for (const { feed, day, days, expected } of said)
    if (feed === 'brendan') expect([day, Number(days) > 0]).toEqual(['', true]);
    else expect([day, days]).toEqual([expected, '']);
});

test('messages are in the order of sending, before the end, and after the events they report', () => {
  const end = Date.parse(options.to);
  const visits = new Map(world.visits.map((visit) => [visit.id, visit]));
  let last = 0;
  for (const message of world.messages) {
    expect(message.at).toBeGreaterThanOrEqual(last);
    expect(message.at).toBeLessThanOrEqual(end);
    last = message.at;
  }
  const early = world.messages.filter(
    (message) => message.at < (visits.get(message.visit)?.steps[message.step]?.at ?? Infinity),
  );
  // A message is early only if it swapped places with another.
  expect(early.length).toBeLessThan(world.visits.length * 0.05);
});

test('every message is HL7 and names its facility, patient and event', () => {
  for (const message of world.messages) {
    const [header] = segmentsOf(message.bytes);
    const feed = world.region.feeds.find((candidate) => candidate.key === message.feed);
    expect(header?.[0]).toBe('MSH');
    expect(header?.[2]).toBe('^~\\&');
    expect(header?.[3]).toBe(feed?.sendingApplication);
    expect(feed?.facilities[header?.[4] ?? '']).toBe(message.facility);
    expect(header?.[9]?.split('^').slice(0, 2)).toEqual(['ADT', message.trigger]);
    expect(header?.[10]).toBe(message.controlId);
    expect(message.controlId.length).toBeLessThanOrEqual(20);
    expect(header?.[12]).toBe(feed?.dialect.version);
    expect(message.bytes.at(-1)).toBe(0x0d);
    expect(message.bytes.includes(0x0a)).toBe(false);
    expect(fieldOf(message.bytes, 'EVN', 1)).toBe(message.trigger);
    expect(fieldOf(message.bytes, 'PID', 3)).toMatch(/^(MG|UC|SB|OH|TH|SW)\d{7}\^/);
    expect(fieldOf(message.bytes, 'PID', 18)).not.toBe('');
    if (!['A40', 'A44'].includes(message.trigger)) expect(fieldOf(message.bytes, 'PV1', 44)).toMatch(/^\d{12}/);
  }
});

test('St. Brendan writes Latin-1 and Mercy General UTF-8', () => {
  const accented = (feed: string) =>
    world.messages.find(
      (message) => message.feed === feed && /[\u0080-\u{10ffff}]/u.test(message.bytes.toString('latin1')),
    );
  expect(accented('brendan')?.bytes.toString('utf8')).toContain('\ufffd');
  expect(accented('mercy')?.bytes.toString('utf8')).not.toContain('\ufffd');
});

/** Triggers that can report an event, taken from the standard and not from the scripts. */
const REPORTED_BY: Record<EventCode, string[]> = {
  ADMIT: ['A01', 'A06', 'MANUAL'],
  PRESENTED: ['A04'],
  VISIT: ['A04'],
  DISCHARGE: ['A03', 'MANUAL'],
  DECEASED: ['A03', 'A08', 'MANUAL'],
  TRANSFER: ['A02', 'A07', 'A08'],
  CLOSED: [],
  PAYOR_CHANGE: ['A08', 'MANUAL'],
  MEDICAL_LEAVE_OF_ABSENCE: ['A21', 'MANUAL'],
  RESUMED_SERVICES: ['A22', 'MANUAL'],
  ENDED_SERVICES: ['MANUAL'],
  STARTED_HHA_SERVICES: ['A01'],
  ENDED_HHA_SERVICES: ['A03'],
};

function sentMessages(of: World): Map<string, World['messages'][number]> {
  return new Map(of.messages.map((message) => [`${message.visit} ${message.step}`, message]));
}

/** Returns the UTC minute of an HL7 time, with the time zone rules of Intl. */
function minuteOf(text: string, zone: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(text) ?? [];
  const guess = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  for (const hours of [4, 5, 6]) {
    const local = new Date(guess + hours * 3_600_000).toLocaleString('sv-SE', { timeZone: zone });
    if (local.startsWith(`${year}-${month}-${day} ${hour}:${minute}`))
      return new Date(guess + hours * 3_600_000).toISOString();
  }
  return 'no such time';
}

test('every true event was reported by a message or an entry, at its minute', () => {
  const sent = sentMessages(world);
  const entered = new Set(
    world.manualEntries.map((entry) => `${entry.visit} ${entry.step} ${entry.code} ${entry.date}`),
  );
  let checked = 0;
  for (const truth of world.truth.visits) {
    for (const event of truth.events) {
      const message = sent.get(`${truth.visit} ${event.step}`);
      if (event.precision === 'day') {
        expect(entered.has(`${truth.visit} ${event.step} ${event.code} ${event.at}`)).toBe(true);
        continue;
      }
      expect(REPORTED_BY[event.code]).toContain(message?.trigger);
      const zone = world.region.feeds.find((feed) => feed.key === message?.feed)?.timeZone ?? '';
      expect(Date.parse(minuteOf(fieldOf(message?.bytes ?? Buffer.alloc(0), 'EVN', 2), zone))).toBe(
        Date.parse(event.at),
      );
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(4000);
});

test('a cancel follows what it retracts, and nothing is retracted twice', () => {
  for (const visit of world.visits) {
    const targets = visit.steps.map((step) => step.retracts).filter((index) => index !== null);
    expect(new Set(targets).size).toBe(targets.length);
    visit.steps.forEach((step, index) => {
      if (step.retracts === null) return;
      expect(['A11', 'A12', 'A13', 'A52']).toContain(step.trigger);
      expect(step.retracts).toBeLessThan(index);
      expect(visit.steps[step.retracts]?.emits).not.toBeNull();
    });
  }
});

test('the steps of a visit move forward in time', () => {
  for (const visit of world.visits) {
    for (let index = 1; index < visit.steps.length; index++) {
      const [before, after] = [visit.steps[index - 1], visit.steps[index]];
      expect(after?.at).toBeGreaterThan(before?.at ?? 0);
    }
  }
});

const ENDS: EventCode[] = ['DISCHARGE', 'DECEASED', 'ENDED_SERVICES', 'ENDED_HHA_SERVICES'];

test('nothing happens in the hours whose local time is ambiguous', () => {
  const early = Date.parse('2026-11-01T05:00:00Z');
  const ambiguous = world.visits
    .flatMap((visit) => visit.steps)
    .filter(({ at }) => at >= early && at < early + 3 * 3_600_000);
  expect(ambiguous).toEqual([]);
});

test('the status of a visit agrees with its events', () => {
  for (const truth of world.truth.visits) {
    const codes = truth.events.map((event) => event.code);
    const ends = codes.filter((code) => ENDS.includes(code));
    expect(ends).toHaveLength(truth.status === 'DISCHARGED' || truth.status === 'DECEASED' ? 1 : 0);
    if (truth.status === 'CANCELLED') expect(codes).toEqual([]);
    if (truth.closesAt) expect(truth).toMatchObject({ status: 'OPEN', setting: 'EMERGENCY', dischargedAt: null });
    expect(new Set(truth.events.map((event) => `${event.code} ${event.at}`)).size).toBe(truth.events.length);
  }
});

test('pings go to other groups that list the person, never to the facility itself, and never for a person in review', () => {
  const pings = expectedPings(world);
  const review = new Set(
    world.truth.identities
      .filter((known) => known.identity === 'review')
      .map((known) => `${known.person} ${known.facility}`),
  );
  const rows = new Set(Object.values(world.rosters).flatMap((list) => list.map((row) => `${row.person} ${row.group}`)));
  for (const ping of pings) {
    expect(ping.group).not.toBe(ping.facility);
    expect(review.has(`${ping.person} ${ping.facility}`)).toBe(false);
    if (ping.via === 'roster') expect(rows.has(`${ping.person} ${ping.group}`)).toBe(true);
  }
  const keys = pings.map((ping) => `${ping.visit} ${ping.code} ${ping.at} ${ping.group}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(pings.filter((ping) => ping.via === 'roster').length).toBeGreaterThan(4000);
  expect(pings.filter((ping) => ping.via === 'facility').length).toBeGreaterThan(200);
});

test('arrivals have every message, some twice, in an order that depends on the seed', () => {
  const shuffled = arrivals(world, { seed: 'a', shuffle: true, duplicate: 0.2 });
  expect(new Set(shuffled)).toEqual(new Set(world.messages));
  expect(shuffled.length).toBeGreaterThan(world.messages.length * 1.15);
  expect(fingerprint(shuffled)).toBe(fingerprint(arrivals(world, { seed: 'a', shuffle: true, duplicate: 0.2 })));
  expect(fingerprint(shuffled)).not.toBe(fingerprint(arrivals(world, { seed: 'b', shuffle: true, duplicate: 0.2 })));
  expect(arrivals(world, { seed: 'a', shuffle: false, duplicate: 0 })).toEqual(world.messages);
});
