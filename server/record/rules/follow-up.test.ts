import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CONTACT_CHANNELS,
  CONTACT_OUTCOMES,
  type ContactChannel,
  type ContactOutcome,
} from '#contract/contact-words.ts';
import { addDays, FEDERAL_HOLIDAYS, type Holidays, isBusinessDay } from '#server/platform/calendar/business-days.ts';
import { visit } from '#server/testing/rule-visits.ts';
import { type Attempt, endOf, followUpClocks, isContactMissed, nextFollowUp, notStartedBy } from './follow-up.ts';
import type { RuleVisit } from './rule-visit.ts';

const NOTHING = { attempts: [], holidays: FEDERAL_HOLIDAYS, today: '2026-11-18', timeZone: 'UTC' };

/** When a stay that ended on Wednesday, November 18, has to be followed up, or why not, with these other visits. */
function due(left: RuleVisit, ...others: RuleVisit[]): string {
  const { id, setting, dischargedAt, disposition } = left;
  const discharge = { encounterId: id, setting, at: dischargedAt ?? 0, day: '2026-11-18', disposition };
  const reason =
    notStartedBy(discharge, [left, ...others]) ?? endOf(discharge, [left, ...others], 'UTC')?.reason ?? null;
  expect(nextFollowUp(discharge, [left, ...others], NOTHING) === null).toBe(reason !== null);
  return reason ?? followUpClocks(discharge, NOTHING)[0].dueOn;
}

const hospital = () => visit('INPATIENT', 6, 2);

test('two business days after a discharge to the community', () => {
  expect(due(hospital())).toBe('2026-11-20');
  expect(due(visit('EMERGENCY', 2.2, 2))).toBe('OTHER_SETTING');
  expect(due(visit('INPATIENT', 6, 2, { disposition: '03' }))).toBe('NOT_TO_COMMUNITY');
  expect(due(visit('INPATIENT', 6, 2, { disposition: '20', diedAt: 1 }))).toBe('NOT_TO_COMMUNITY');
  expect(due(hospital(), visit('INPATIENT', 60, 50, { diedAt: 1 }))).toBe('DIED');
  expect(due(hospital(), visit('SNF', 60, 20), visit('ASSISTED_LIVING', 200, null), visit('HHA', 1, null))).toBe(
    '2026-11-20',
  );
});

describe('home health after a discharge to a facility', () => {
  const sent = (disposition: string) => visit('INPATIENT', 6, 2, { disposition });

  test.each(['03', '62', '83', 'SNF WITH REHAB'])('makes the destination unclear: %s', (disposition) => {
    expect(due(sent(disposition), visit('HHA', 1, null))).toBe('UNCLEAR');
    expect(due(sent(disposition), visit('HHA', 2, null))).toBe('UNCLEAR');
  });

  test.each<[string, string, ...RuleVisit[]]>([
    ['began later, after care that is not known', '03', visit('HHA', -1, null)],
    ['began before', '03', visit('HHA', 9, null)],
    ['is only planned', '03', visit('HHA', 1, null, { status: 'PLANNED' })],
    ['came after the facility', '03', visit('HHA', 1, null), visit('SNF', 1.9, 1)],
    ['is in hospice at home', '50', visit('HHA', 1, null)],
  ])('says nothing if it %s', (_, disposition, ...others) => {
    expect(due(sent(disposition), ...others)).toBe('NOT_TO_COMMUNITY');
  });
});

describe('none is due in a facility', () => {
  test.each<[string, RuleVisit]>([
    ['back in the nursing facility', visit('SNF', 60, null)],
    ['in a nursing facility since an unknown time', visit('SNF', null, null)],
    ['left the nursing facility later', visit('SNF', 60, 1)],
    ['in long-term acute care', visit('LTAC', 40, null)],
    ['in rehabilitation', visit('REHAB', 1.9, null)],
    ['in a hospice facility', visit('HOSPICE', 1.9, null)],
    ['in a hospital again', visit('INPATIENT', 1, null)],
    ['in another hospital since that stay', visit('INPATIENT', 3, null, { facilityId: 'brendan' })],
    ['a later stay that is over', visit('OBSERVATION', 1.5, 1)],
  ])('%s', (_, other) => {
    expect(due(hospital(), other)).toBe('IN_FACILITY');
  });
});

test('none is due after a discharge from which the patient came back on the same day, as long as the stay goes on or once it ended again', () => {
  const left = hospital();
  const discharge = { encounterId: left.id, setting: left.setting, day: '2026-11-18', disposition: '01' };
  const at = left.dischargedAt ?? 0;
  const ended = (now: RuleVisit) => endOf({ ...discharge, at }, [now], 'UTC')?.reason ?? null;
  expect(ended(left)).toBeNull();
  expect(ended({ ...left, status: 'IN_PROGRESS', dischargedAt: null })).toBe('IN_FACILITY');
  expect(ended({ ...left, dischargedAt: at + 4 * 3_600_000 })).toBe('IN_FACILITY');
});

test('a nursing facility that has the patient on leave is asked where they are', () => {
  expect(due(hospital(), visit('SNF', 60, null, { status: 'ON_LEAVE' }))).toBe('STAY_OPEN');
});

test.each([
  ['HOME W/ O2', '2026-11-20'],
  ['GROUP HOME', '2026-11-20'],
  ['RESIDENCE', '2026-11-20'],
  ['HOME W HOSPICE', 'NOT_TO_COMMUNITY'],
  ['OAK HOLLOW SNF', 'NOT_TO_COMMUNITY'],
  ['EXPIRED-DONOR', 'NOT_TO_COMMUNITY'],
  ['50', 'NOT_TO_COMMUNITY'],
  ['NH', 'UNCLEAR'],
  ['Other', 'UNCLEAR'],
  ['99', 'UNCLEAR'],
])('a destination in the sender’s words, %s, is understood or said not to be', (disposition, then) => {
  expect(due(visit('INPATIENT', 6, 2, { disposition }))).toBe(then);
});

test('what happens after the period of the service ends nothing', () => {
  const discharge = { encounterId: 'a', setting: 'INPATIENT' as const, at: 0, day: '1970-01-01', disposition: '01' };
  const again = (day: number) => [visit('INPATIENT', 0, null, { admittedAt: day * 86_400_000 })];
  expect(endOf(discharge, again(29), 'UTC')).toMatchObject({ reason: 'IN_FACILITY', day: '1970-01-30' });
  expect(endOf(discharge, again(30), 'UTC')).toBeNull();
});

test('an earlier hospital stay without a discharge is not where the patient is', () => {
  expect(due(hospital(), visit('INPATIENT', 20, null, { facilityId: 'brendan' }))).toBe('2026-11-20');
  expect(due(hospital(), visit('SNF', 60, null, { status: 'CANCELLED' }))).toBe('2026-11-20');
});

describe('the clocks of a discharge on Wednesday, November 18, at 10', () => {
  const at = Date.parse('2026-11-18T10:00:00Z');
  const attempt = (time: string, outcome: ContactOutcome = 'NO_ANSWER', channel: ContactChannel = 'CALL'): Attempt => ({
    at: Date.parse(`2026-${time}:00Z`),
    day: `2026-${time.slice(0, 5)}`,
    channel,
    outcome,
  });
  const clocks = (today: string, ...attempts: Attempt[]) =>
    followUpClocks({ at, day: '2026-11-18' }, { attempts, holidays: FEDERAL_HOLIDAYS, today: `2026-${today}` });
  const states = (today: string, ...attempts: Attempt[]) => clocks(today, ...attempts).map(({ state }) => state);

  test('the contact is due on the second business day, the visit on the 14th day with the 7th named', () => {
    const [contact, visits] = clocks('11-19');
    expect(contact).toMatchObject({ rule: 'TCM_CONTACT', dueOn: '2026-11-20', soonOn: null });
    expect(visits).toMatchObject({ rule: 'TCM_VISIT', dueOn: '2026-12-02', soonOn: '2026-11-25' });
  });

  test('each is due until the end of its day, and overdue after it', () => {
    expect(states('11-19')).toEqual(['DUE', 'DUE']);
    expect(states('11-20')).toEqual(['DUE_TODAY', 'DUE']);
    expect(states('11-21')).toEqual(['OVERDUE', 'DUE']);
    expect(states('12-02')).toEqual(['OVERDUE', 'DUE_TODAY']);
    expect(states('12-03')).toEqual(['OVERDUE', 'OVERDUE']);
  });

  test('someone who was reached is a contact, late or not, but not before the discharge', () => {
    expect(states('11-19', attempt('11-18T15:00', 'REACHED'))).toEqual(['MET', 'DUE']);
    expect(states('11-26', attempt('11-25T15:00', 'DECLINED'))).toEqual(['MET_LATE', 'DUE']);
    expect(states('11-19', attempt('11-18T09:59', 'REACHED'))).toEqual(['DUE', 'DUE']);
  });

  test('a visit at which the patient was seen meets both', () => {
    expect(states('11-26', attempt('11-25T15:00', 'REACHED', 'VISIT'))).toEqual(['MET_LATE', 'MET']);
    expect(states('11-26', attempt('11-25T15:00', 'DECLINED', 'VISIT'))).toEqual(['MET_LATE', 'DUE']);
    expect(states('11-26', attempt('11-25T15:00', 'NO_ANSWER', 'VISIT'))).toEqual(['OVERDUE', 'DUE']);
    // On the day of the discharge it is a contact, not the visit of the service.
    expect(states('11-19', attempt('11-18T15:00', 'REACHED', 'VISIT'))).toEqual(['MET', 'DUE']);
  });

  test('two timely attempts meet the requirement, each moment once, and the team goes on trying', () => {
    const [first, last, late] = [attempt('11-18T10:00'), attempt('11-20T23:59'), attempt('11-21T00:00')];
    expect(states('11-23', first, first)[0]).toBe('OVERDUE');
    expect(states('11-23', first, late)[0]).toBe('OVERDUE');
    expect(clocks('11-23', first, last, late)[0]).toMatchObject({ state: 'ENOUGH_ATTEMPTS', attempts: 2 });
    // A minute later it is the same attempt, and a wrong number is none.
    expect(clocks('11-23', first, attempt('11-18T10:01'))[0]).toMatchObject({ state: 'OVERDUE', attempts: 1 });
    expect(clocks('11-23', first, attempt('11-20T10:00', 'WRONG_NUMBER'))[0]).toMatchObject({ attempts: 1 });
  });

  test('what was done in a later stay, or after it, counts for another discharge', () => {
    const end = { reason: 'IN_FACILITY' as const, at: Date.parse('2026-11-19T12:00:00Z'), day: '2026-11-19' };
    const all = (today: string, ...attempts: Attempt[]) =>
      followUpClocks(
        { at, day: '2026-11-18' },
        { attempts, holidays: FEDERAL_HOLIDAYS, today: `2026-${today}` },
        end,
      ).map(({ state }) => state);
    expect(all('11-30', attempt('11-20T10:00', 'REACHED', 'VISIT'))).toEqual(['ENDED', 'ENDED']);
    expect(all('11-30', attempt('11-19T10:00', 'REACHED'))).toEqual(['MET', 'ENDED']);
    const later = { ...end, at: Date.parse('2026-11-24T12:00:00Z'), day: '2026-11-24' };
    const [contact] = followUpClocks(
      { at, day: '2026-11-18' },
      { attempts: [], holidays: FEDERAL_HOLIDAYS, today: '2026-11-30' },
      later,
    );
    expect(contact.state).toBe('MISSED');
  });

  test('a contact that was missed is told apart from one that was tried twice in time, also once someone was reached', () => {
    const missed = (today: string, ...attempts: Attempt[]) => isContactMissed(clocks(today, ...attempts)[0]);
    const tried = [attempt('11-19T10:00'), attempt('11-20T10:00')];
    const reached = attempt('11-25T10:00', 'REACHED');
    expect(missed('11-20')).toBe(false);
    expect(missed('11-21')).toBe(true);
    expect(missed('12-30')).toBe(true);
    expect(missed('11-25', ...tried)).toBe(false);
    expect(missed('11-25', ...tried, reached)).toBe(false);
    expect(missed('11-25', tried[0] as Attempt, reached)).toBe(true);
    expect(missed('11-25', attempt('11-20T10:00', 'REACHED'))).toBe(false);
  });

  test('a row shows the contact, then the visit, and nothing once the patient was seen or the period is over', () => {
    const stay = { ...hospital(), dischargedAt: at };
    const discharge = { encounterId: stay.id, setting: stay.setting, at, day: '2026-11-18', disposition: '01' };
    const shown = (today: string, ...attempts: Attempt[]) =>
      nextFollowUp(discharge, [stay], { attempts, holidays: FEDERAL_HOLIDAYS, today: `2026-${today}`, timeZone: 'UTC' })
        ?.rule ?? null;
    expect(shown('11-30')).toBe('TCM_CONTACT');
    expect(shown('11-30', attempt('11-19T10:00', 'REACHED'))).toBe('TCM_VISIT');
    expect(shown('12-03')).toBe('TCM_CONTACT');
    expect(shown('12-17')).toBe('TCM_CONTACT');
    expect(shown('12-17', attempt('11-25T10:00', 'REACHED'))).toBe('TCM_VISIT');
    expect(shown('12-18')).toBeNull();
    expect(shown('11-30', attempt('11-25T10:00', 'REACHED', 'VISIT'))).toBeNull();
    const tried = [attempt('11-19T10:00'), attempt('11-20T10:00')];
    expect(shown('11-20', ...tried)).toBe('TCM_CONTACT');
    expect(shown('11-21', ...tried)).toBe('TCM_VISIT');
  });
});

describe('for any discharge', () => {
  const days = fc
    .date({ min: new Date('2024-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const holidays = fc.record({ added: fc.array(days, { maxLength: 8 }), removed: fc.array(days, { maxLength: 8 }) });

  test('exactly two business days lie after the discharge up to the due day, which is one itself', () => {
    fc.assert(
      fc.property(days, holidays, (day, calendar) => {
        const [contact] = followUpClocks(
          { at: Date.parse(day), day },
          { attempts: [], holidays: calendar, today: day },
        );
        let business = 0;
        for (let next = addDays(day, 1); next <= contact.dueOn; next = addDays(next, 1))
          if (isBusinessDay(next, calendar)) business += 1;
        expect(business).toBe(2);
        expect(isBusinessDay(contact.dueOn, calendar)).toBe(true);
      }),
    );
  });

  test('the visit is due 14 calendar days later, over the end of a month, a leap day and daylight saving', () => {
    expect(followUpClocks({ at: 0, day: '2028-02-20' }, NOTHING)[1].dueOn).toBe('2028-03-05');
    expect(followUpClocks({ at: 0, day: '2026-10-25' }, NOTHING)[1].dueOn).toBe('2026-11-08');
    fc.assert(
      fc.property(days, (day) => {
        const [, seen] = followUpClocks({ at: 0, day }, NOTHING);
        expect((Date.parse(seen.dueOn) - Date.parse(day)) / 86_400_000).toBe(14);
      }),
    );
  });

  test('an added holiday never moves the due day forward, and a removed one never back', () => {
    fc.assert(
      fc.property(days, days, (day, holiday) => {
        const due = (calendar: Holidays) =>
          followUpClocks({ at: 0, day }, { attempts: [], holidays: calendar, today: day })[0].dueOn;
        const usual = due(FEDERAL_HOLIDAYS);
        expect(due({ added: [holiday], removed: [] }) >= usual).toBe(true);
        expect(due({ added: [], removed: [holiday] }) <= usual).toBe(true);
      }),
    );
  });

  test('the order in which attempts were recorded changes nothing', () => {
    const attempts = fc.array(
      fc.record({
        hours: fc.integer({ min: -30, max: 900 }),
        channel: fc.constantFrom(...CONTACT_CHANNELS),
        outcome: fc.constantFrom(...CONTACT_OUTCOMES),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(days, attempts, fc.integer({ min: 0, max: 40 }), (day, made, after) => {
        const start = Date.parse(day);
        const all = made.map(({ hours, channel, outcome }): Attempt => {
          const time = start + hours * 3_600_000;
          return { at: time, day: new Date(time).toISOString().slice(0, 10), channel, outcome };
        });
        const clocks = (list: Attempt[]) =>
          followUpClocks(
            { at: start, day },
            { attempts: list, holidays: FEDERAL_HOLIDAYS, today: addDays(day, after) },
          );
        expect(clocks(all.toReversed())).toEqual(clocks(all));
      }),
    );
  });
});
