import { describe, expect, it } from 'vitest';
import { CONFIRMABLE, type WaiverCondition, type WaiverRule } from '#contract/waiver-conditions.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { usDay } from '#server/platform/calendar/us-dates.ts';
import type { RuleVisit } from '#server/record/rules/rule-visit.ts';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { eligibilityOf, needsWaiver } from './waiver-eligibility.ts';

const stay = visit('SNF', 2, null, { facilityId: 'maple' });

const ask = (
  visits: readonly RuleVisit[],
  {
    of = stay,
    rule = 'MSSP',
    confirmed = [],
  }: { of?: RuleVisit; rule?: WaiverRule; confirmed?: readonly WaiverCondition[] } = {},
) =>
  eligibilityOf({
    stay: of,
    visits: [...visits, of],
    nameOf: () => 'Mercy General',
    timeZone: 'America/New_York',
    now: NOW,
    rule,
    confirmed: new Set(confirmed),
  });

const answerTo = (code: WaiverCondition, asked: ReturnType<typeof ask>) =>
  asked.conditions.find((condition) => condition.code === code)?.answer;

const short = visit('INPATIENT', 4, 2);
const long = visit('INPATIENT', 6, 2);

describe('the check of a three-day waiver', () => {
  it('is unknown until a user has confirmed what no message proves, and lists it', () => {
    const asked = ask([short]);
    expect(asked.answer).toBe('unknown');
    expect(asked.conditions.filter(({ answer }) => answer === 'unknown').map(({ code }) => code)).toEqual([
      'MEDICARE',
      'ASSIGNED',
      'NOT_RESIDENT',
      'STABLE',
      'NO_INPATIENT_CARE',
      'DIAGNOSIS_CONFIRMED',
      'NOT_OUTPATIENT',
      'PHYSICIAN_APPROVED',
      'AFFILIATE',
    ]);
    expect(ask([short], { confirmed: CONFIRMABLE }).answer).toBe('eligible');
  });

  it.each(CONFIRMABLE.filter((code) => !['WAIVER_NEEDED', 'WITHIN_EPISODE', 'EPISODE', 'STARS'].includes(code)))(
    'is unknown while %s alone is not confirmed',
    (missing) => {
      expect(ask([short], { confirmed: CONFIRMABLE.filter((code) => code !== missing) }).answer).toBe('unknown');
    },
  );

  it('is not eligible after three inpatient nights, whatever is confirmed: no waiver is needed', () => {
    const asked = ask([long], { confirmed: CONFIRMABLE });
    expect([asked.answer, answerTo('WAIVER_NEEDED', asked)]).toEqual(['not eligible', 'unmet']);
    expect(asked.conditions.find(({ code }) => code === 'WAIVER_NEEDED')?.canBeConfirmed).toBe(false);
  });

  it('counts neither nights in the ED or under observation, nor a stay that ended more than 30 days before', () => {
    expect(answerTo('WAIVER_NEEDED', ask([visit('OBSERVATION', 6, 2)]))).toBe('unknown');
    expect(answerTo('WAIVER_NEEDED', ask([visit('INPATIENT', 40, 33)]))).toBe('unknown');
    expect(answerTo('WAIVER_NEEDED', ask([visit('INPATIENT', 40, 32)]))).toBe('unmet');
  });

  it('is unknown without a known hospital stay, and if the length of one is unknown', () => {
    expect(answerTo('WAIVER_NEEDED', ask([]))).toBe('unknown');
    expect(answerTo('WAIVER_NEEDED', ask([visit('INPATIENT', null, 2)]))).toBe('unknown');
  });

  it('counts a hospital stay that goes on while the stay is planned', () => {
    const planned = visit('SNF', null, null, { facilityId: 'maple', status: 'PLANNED' });
    expect(answerTo('WAIVER_NEEDED', ask([visit('INPATIENT', 2, null)], { of: planned }))).toBe('met');
    expect(answerTo('WAIVER_NEEDED', ask([visit('INPATIENT', 4, null)], { of: planned }))).toBe('unmet');
  });

  it('points out an earlier stay at a nursing facility, where the patient may live', () => {
    const basis = ask([visit('SNF', 90, 10), short]).conditions.find(({ code }) => code === 'NOT_RESIDENT')?.basis;
    expect(basis).toContain('Check if they live there');
  });

  it('is not eligible elsewhere than at a skilled nursing facility', () => {
    expect(ask([short], { of: visit('HHA', 2, null), confirmed: CONFIRMABLE }).answer).toBe('not eligible');
  });

  it('checks an episode of TEAM by its hospital stay: within 30 days, from 2026 to 2030', () => {
    const team = { rule: 'TEAM', confirmed: CONFIRMABLE } as const;
    expect(ask([short], team).answer).toBe('eligible');
    expect(ask([short], { rule: 'TEAM' }).answer).toBe('unknown');
    const before = visit('INPATIENT', 335, 333);
    const early = ask([before], { ...team, of: visit('SNF', 333, 300, { facilityId: 'maple' }) });
    expect([early.answer, answerTo('WITHIN_EPISODE', early)]).toEqual(['not eligible', 'unmet']);
  });
});

describe('a stay after another facility than an acute hospital', () => {
  const at = (facilityType: 'LTAC' | 'REHAB_HOS') =>
    ({ groupType: 'ADMITTING', facilityType, facilityId: 'willow' }) as const;
  const needs = (visits: readonly RuleVisit[], of = stay) =>
    needsWaiver({ stay: of, visits: [...visits, of], timeZone: 'America/New_York', now: NOW });
  const basisOf = (asked: ReturnType<typeof ask>) =>
    asked.conditions.find(({ code }) => code === 'WAIVER_NEEDED')?.basis;

  it('counts the nights in a long-term care or rehabilitation hospital', () => {
    const ltac = visit('LTAC', 36, 2, at('LTAC'));
    expect([needs([ltac]), answerTo('WAIVER_NEEDED', ask([ltac]))]).toEqual([false, 'unmet']);
    const hospital = visit('INPATIENT', 55, 36, { disposition: '63' });
    expect(basisOf(ask([hospital, ltac]))).toMatch(/^53 inpatient nights are known/);
    const rehab = visit('REHAB', 23, 2, at('REHAB_HOS'));
    expect([needs([rehab]), answerTo('WAIVER_NEEDED', ask([rehab]))]).toEqual([false, 'unmet']);
  });

  it('is in an episode of TEAM by the acute stay, not by the rehabilitation after it', () => {
    const surgery = visit('INPATIENT', 45, 40, { disposition: '62' });
    const rehab = visit('REHAB', 40, 2, at('REHAB_HOS'));
    expect(answerTo('WITHIN_EPISODE', ask([surgery, rehab], { rule: 'TEAM' }))).toBe('unknown');
  });

  const oneNight = visit('INPATIENT', 3, 2);
  const qualifying = visit('INPATIENT', 60, 55);
  const before = (to: number | null) => visit('SNF', 55, to, { facilityId: 'maple' });

  it.each([
    ['the hospital, within 30 days', [qualifying, before(3), oneNight]],
    ['home', [qualifying, before(32)]],
    ['another account of the same day', [qualifying, before(2)]],
    ['a stay whose discharge is missing', [qualifying, before(null), oneNight]],
    ['two stays, of which the first had the nights', [qualifying, visit('SNF', 55, 50), visit('SNF', 30, 10)]],
  ])('needs no waiver as a return to skilled nursing from %s', (_, visits) => {
    expect([needs(visits), answerTo('WAIVER_NEEDED', ask(visits))]).toEqual([false, 'unknown']);
    expect(basisOf(ask(visits))).toMatch(/Skilled nursing at .*no new hospital stay\.$/);
  });

  it('names the skilled nursing before', () => {
    const day = usDay(localDateOf(daysAgo(3), 'America/New_York'));
    expect(basisOf(ask([qualifying, before(3), oneNight]))).toBe(
      `1 inpatient night known. Skilled nursing at Mercy General until ${day}. If Medicare covered it, a return within 30 days needs no new hospital stay.`,
    );
  });

  it('may need a waiver if the stay before ended earlier, had no nights of its own, or was too long to be covered', () => {
    expect(needs([qualifying, before(33), oneNight])).toBe(true);
    expect(needs([before(3), oneNight])).toBe(true);
    expect(needs([visit('INPATIENT', 160, 150), visit('SNF', 150, 3), oneNight])).toBe(true);
  });
});

describe('a stay that needs a waiver', () => {
  const needs = (visits: readonly RuleVisit[], of = stay) =>
    needsWaiver({ stay: of, visits: [...visits, of], timeZone: 'America/New_York', now: NOW });

  it('is one at a skilled nursing facility without a known hospital stay of three nights', () => {
    expect([needs([short]), needs([]), needs([long])]).toEqual([true, true, false]);
    expect(needs([short], visit('INPATIENT', 2, null))).toBe(false);
    expect(needs([short], { ...stay, status: 'CANCELLED' })).toBe(false);
  });

  it('is found among hundreds of stays that follow one another, looking at each once', () => {
    const many = Array.from({ length: 200 }, (_, n) =>
      visit('SNF', 3 + n / 2, 2.5 + n / 2, { facilityId: `nursing ${n}` }),
    );
    expect(needsWaiver({ stay, visits: [...many, stay], timeZone: 'America/New_York', now: NOW })).toBe(true);
  });

  it('ends with the stay, and after the days that Medicare may cover', () => {
    expect(needs([short], visit('SNF', 20, 1))).toBe(false);
    expect(needs([], visit('SNF', 201, null))).toBe(false);
    expect(needs([], visit('SNF', 99, null))).toBe(true);
  });

  it('is judged anew when the resident comes back from a hospital, with or without a leave', () => {
    const resident = visit('SNF', 150, null);
    const away = { ...resident, leaves: [{ from: daysAgo(9), to: daysAgo(5) }] };
    for (const of of [resident, away]) {
      expect(needs([visit('INPATIENT', 9, 5)], of)).toBe(false);
      expect(needs([visit('INPATIENT', 7, 5)], of)).toBe(true);
    }
    expect(needs([], resident)).toBe(false);
  });
});

describe('what the check says about the nights', () => {
  it('is that the three-day rule is met, and that nothing else was checked', () => {
    const found = ask([long]).conditions.find(({ code }) => code === 'WAIVER_NEEDED');
    expect(found?.basis).toBe(
      '4 inpatient nights are known, so the three-day rule is met. Other coverage conditions are not checked.',
    );
  });

  it('names observation stays, whose nights are no inpatient nights', () => {
    const basisOf = (code: WaiverCondition, ...asked: Parameters<typeof ask>) =>
      ask(...asked).conditions.find((condition) => condition.code === code)?.basis;
    const days = [6, 2].map((ago) => usDay(localDateOf(daysAgo(ago), 'America/New_York'))).join('–');
    const named = `Observation stay ${days} at Mercy General: 0 inpatient nights.`;
    const observed = visit('OBSERVATION', 6, 2);
    expect(basisOf('WAIVER_NEEDED', [observed])).toBe(named);
    expect(basisOf('WITHIN_EPISODE', [observed], { rule: 'TEAM' })).toBe(named);
    expect(basisOf('WAIVER_NEEDED', [observed, short])).toBe(`2 inpatient nights known. ${named}`);
    expect(basisOf('WAIVER_NEEDED', [])).toBe('No hospital stay is known in the 30 days before.');
  });
});
