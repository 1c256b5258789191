/**
 * The urgent care's front desk, whose interface stopped two days ago: walk-in visits of people from out of town, in messages that lack some
 * ZIP codes and have codes that no one has mapped. Shows what the health of a feed is told by.
 */
import { DAY, HOUR, hl7Time, localDate, MINUTE } from './clock.ts';
import { components, segment, withoutEmptyEnd } from './hl7-segments.ts';
import { FAMILY_NAMES, FEMALE_NAMES, MALE_NAMES, STREETS } from './names.ts';
import { makeRandom, type Random } from './random.ts';
import type { WorldFeed } from './region-types.ts';

/** Not one of the region's feeds, because the urgent care's own messages come with the hospital's. */
export const FRONT_DESK: WorldFeed = {
  key: 'front-desk',
  name: 'Urgent care front desk',
  sendingApplication: 'ABUC_DESK',
  timeZone: 'America/New_York',
  facilities: { ABUC: 'urgent-care' },
  classMap: [{ patientClass: 'O', setting: 'OUTPATIENT' }],
  dispositionMap: {},
  dialect: {
    version: '2.5.1',
    sendsSeconds: true,
    sendsOffset: true,
    characterSet: '',
    upperCaseNames: false,
    sendsOccurred: true,
    visitKey: 'PV1-19',
    observation: 'class OBV',
    expected: 'PV2-9',
    zSegment: null,
  },
};

const WEEKS = 9;
const SILENT_FOR = 50 * HOUR;
const WALK_INS_A_DAY = 3;
/** The last messages before the interface stopped were tests without a record number. */
const TESTS = 2;

interface WalkIn {
  record: string;
  family: string;
  given: string;
  sex: 'F' | 'M';
  birthDate: string;
  zip: string;
  street: string;
  patientClass: string;
  disposition: string;
}

function walkIn(random: Random, ordinal: number, isRecent: boolean): WalkIn {
  const sex = random.chance(0.5) ? 'F' : 'M';
  return {
    record: `W${String(70_000 + ordinal)}`,
    family: random.pick(FAMILY_NAMES),
    given: random.pick(sex === 'F' ? FEMALE_NAMES : MALE_NAMES),
    sex,
    birthDate: `${random.int(1948, 2004)}${String(random.int(1, 12)).padStart(2, '0')}${String(random.int(1, 28)).padStart(2, '0')}`,
    zip: random.chance(0.35) ? '' : '54995',
    street: `${random.int(1, 900)} ${random.pick(STREETS)}`,
    patientClass: isRecent && random.chance(0.4) ? 'WALKIN' : 'O',
    disposition: isRecent && random.chance(0.4) ? 'LEFT BEFORE SEEN' : '01',
  };
}

function write(trigger: string, at: number, person: WalkIn, arrivedAt: number, controlId: string): Buffer {
  const time = (instant: number) => hl7Time(instant, FRONT_DESK.timeZone, { seconds: true, offset: true });
  const isDischarge = trigger === 'A03';
  const segments = [
    withoutEmptyEnd([
      'MSH',
      '^~\\&',
      FRONT_DESK.sendingApplication,
      'ABUC',
      'TIDINGS',
      'ALDERBAY',
      time(at),
      '',
      components('ADT', trigger),
      controlId,
      'P',
      '2.5.1',
    ]).join('|'),
    segment('EVN', { 1: trigger, 2: time(at), 6: time(at) }),
    segment('PID', {
      1: '1',
      3: components(person.record, '', '', 'ABUC', 'MR'),
      5: components(person.family, person.given),
      7: person.birthDate,
      8: person.sex,
      11: components(person.street, '', 'Northgate', 'WI', person.zip),
    }),
    segment('PV1', {
      1: '1',
      2: person.patientClass,
      3: components('FRONT', '', '', 'ABUC'),
      19: `${person.record}-1`,
      36: isDischarge ? person.disposition : '',
      44: time(arrivedAt),
      45: isDischarge ? time(at) : '',
    }),
  ];
  return Buffer.from(`${segments.join('\r')}\r`);
}

/** Returns the front desk's messages of the weeks before `to`, oldest first. The last ones are tests without a record number. */
export function frontDeskMessages({
  seed,
  to,
}: {
  seed: string | number;
  to: number;
}): { at: number; bytes: Buffer }[] {
  const random = makeRandom(`${seed}/front desk`);
  const messages: { at: number; bytes: Buffer }[] = [];
  const end = to - SILENT_FOR;
  let ordinal = 0;
  for (let day = end - WEEKS * 7 * DAY; day < end + DAY; day += DAY) {
    const opens = Date.parse(`${localDate(day, FRONT_DESK.timeZone)}T14:00:00Z`);
    for (let n = 0; n < WALK_INS_A_DAY; n += 1) {
      const arrivedAt = opens + random.int(0, 7 * 60) * MINUTE;
      const left = arrivedAt + random.int(20, 90) * MINUTE;
      const person = walkIn(random, ++ordinal, to - arrivedAt < 7 * DAY);
      if (left > end) continue;
      messages.push({
        at: arrivedAt + random.int(1, 12) * MINUTE,
        bytes: write('A04', arrivedAt, person, arrivedAt, `FD${ordinal}A`),
      });
      messages.push({
        at: left + random.int(1, 4) * MINUTE,
        bytes: write('A03', left, person, arrivedAt, `FD${ordinal}D`),
      });
    }
  }
  for (let n = 0; n < TESTS; n += 1) {
    const test = { ...walkIn(random, ++ordinal, true), record: '', family: 'Test', given: `Kiosk${n + 1}` };
    messages.push({ at: end + n * MINUTE, bytes: write('A04', end + n * MINUTE, test, end, `FDTEST${n + 1}`) });
  }
  return messages.sort((a, b) => a.at - b.at);
}
