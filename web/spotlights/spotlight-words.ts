/** What the spotlights are called, and how their numbers are said. */
import type { Spotlight, SpotlightFigure, SpotlightName, SpotlightUnit } from '#contract/spotlights.ts';
import { formatDate } from '../ui/format/date.ts';

interface Words {
  /** What is counted, in the singular and plural. */
  cases: readonly [one: string, many: string];
  /** The finding about a value that was formatted. */
  finding: (value: string) => string;
  /** The numbers behind it. */
  numbers: (figure: { numerator: string; denominator: string }) => string;
  /** What each case's own value is, of a median. */
  value?: string;
  definition: readonly string[];
}

const LISTED =
  'People on a list of the team on any day of the period, with the visits your team may see on the days they were listed. People who join a list later do not change earlier numbers, and people who leave still count for the time before.';

export const SPOTLIGHT_WORDS: Record<SpotlightName, Words> = {
  readmissions: {
    cases: ['discharge', 'discharges'],
    finding: (value) => `${value} of discharges were followed by a readmission within 30 days`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} discharges`,
    definition: [
      'Counted: inpatient stays that ended in the period and that the patient left alive, where 30 days have passed since.',
      "Readmitted: an unplanned admission to any hospital within 30 days. Modeled on CMS's hospital-wide measure, and an estimate: messages leave out some of what claims show.",
      'Not counted: stays that ended against medical advice, for cancer treatment, or mainly psychiatric. A transfer is one stay; births and planned admissions do not count as readmissions.',
      LISTED,
    ],
  },
  'plan-readmissions': {
    cases: ['discharge', 'discharges'],
    finding: (value) => `${value} of discharges, from observation too, were followed by a readmission within 30 days`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} discharges`,
    definition: [
      'Counted: inpatient stays and stays under observation of at least one night that ended in the period and that the patient left alive, where 30 days have passed since.',
      "Readmitted: an unplanned admission, or a stay under observation, at any hospital within 30 days. Modeled on HEDIS's Plan All-Cause Readmissions (PCR), and an estimate: messages leave out some of what claims show.",
      'Not counted: stays for pregnancy. Stays less than two days apart are one stay; births and planned admissions do not count as readmissions.',
      LISTED,
    ],
  },
  'admissions-and-ed-use': {
    cases: ['visit', 'visits'],
    finding: (value) => `${value} visits to hospitals a year for each 1,000 people`,
    numbers: ({ numerator, denominator }) => `${numerator} visits of ${denominator} people`,
    definition: [
      'Counted: visits to an emergency department, observation and inpatient stays that began in the period. What follows an arrival, such as the admission or a transfer, is part of one visit.',
      LISTED,
    ],
  },
  'length-of-stay': {
    cases: ['stay', 'stays'],
    finding: (value) => `Half of the inpatient stays lasted ${value} or less`,
    numbers: ({ denominator }) => `${denominator} stays`,
    value: 'Length of stay',
    definition: [
      'Counted: inpatient stays that ended in the period, by the nights from arrival to discharge at the hospital, in the ED and under observation too, without those on leave. The number is the median.',
      'Not counted: swing beds and other beds that an acute stay led to.',
      LISTED,
    ],
  },
  'follow-up': {
    cases: ['discharge', 'discharges'],
    finding: (value) => `After ${value} of discharges home, the patient was reached within two business days`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} discharges`,
    definition: [
      'Counted: discharges to the community in the period from settings that start transitional care management, where the two business days have passed.',
      'In time: the patient or a caregiver was reached by the second business day. Two attempts without an answer are not counted as reached, even though they may be enough for a claim. Only logged contact attempts count, not a status such as “Contacted patient”.',
      'Not counted: patients who died or were admitted again before then.',
      LISTED,
    ],
  },
  'alert-load': {
    cases: ['ping', 'pings'],
    finding: (value) => `${value} pings a day for each 100 people on the lists`,
    numbers: ({ numerator, denominator }) => `${numerator} pings about ${denominator} people on the lists`,
    definition: [
      'Counted: pings that the groups got in the period, about people on their lists in the period. The number is how many came on a day for each 100 of these people.',
      'Needed action: pings that someone resolved or dismissed, and those that are open. The system resolves the others, for example when a later event makes them obsolete.',
      'Not counted: canceled pings.',
      LISTED,
    ],
  },
  'time-to-resolve': {
    cases: ['ping', 'pings'],
    finding: (value) => `Half of the resolved pings were resolved within ${value}`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} pings were resolved by someone`,
    value: 'Resolved after',
    definition: [
      'Counted: pings that the groups got in the period, about people on their lists in the period. The number is the median time until someone resolved or dismissed them.',
      'Not in the median: pings that are open, and those that the system resolved.',
    ],
  },
  'feed-timeliness': {
    cases: ['event', 'events'],
    finding: (value) => `Half of the events were received within ${value}`,
    numbers: ({ denominator }) => `${denominator} events`,
    value: 'Received after',
    definition: [
      'Counted: events that the groups were notified of in the period. The number is the median time from the event, as its sender gives it, until its message was received.',
      'Not counted: events entered by hand, and those with a day and no time.',
    ],
  },
};

const count = new Intl.NumberFormat('en-US');
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

const twoDigits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

const HOUR = 60;
const DAY = 24 * HOUR;

const unitsOf = (value: number, one: string): string => {
  const text = oneDigit.format(value);
  return `${text} ${text === '1' ? one : `${one}s`}`;
};

/** Returns a duration, rounded as on the axis of a chart: "43 minutes", "9.2 hours", "2.5 days". */
function minutesInWords(value: number): string {
  if (value < 1) return 'less than a minute';
  if (Math.round(value) < HOUR) return unitsOf(Math.round(value), 'minute');
  return value < 2 * DAY ? unitsOf(value / HOUR, 'hour') : unitsOf(value / DAY, 'day');
}

/** Returns a figure's value in words: "14.2%", "4 nights", "2.1 hours". */
export function valueInWords(unit: SpotlightUnit, value: number): string {
  switch (unit) {
    case 'SHARE':
      return `${oneDigit.format(value * 100)}%`;
    case 'RATE':
      return count.format(Math.round(value));
    case 'LOAD':
      return twoDigits.format(value);
    case 'MEDIAN_DAYS':
      return unitsOf(value, 'night');
    case 'MEDIAN_MINUTES':
      return minutesInWords(value);
  }
}

interface Axis {
  /** What it counts. */
  label: string;
  /** The value's place on it. */
  at: (value: number) => number;
  /** The label of a value. */
  text: (value: number) => string;
}

const axis = (label: string, at: Axis['at'], format: Intl.NumberFormat): Axis => ({
  label,
  at,
  text: (value) => format.format(at(value)),
});

const AXES: Record<Exclude<SpotlightUnit, 'MEDIAN_MINUTES'>, Axis> = {
  SHARE: axis('Percent', (value) => value * 100, oneDigit),
  RATE: axis('A year for each 1,000 people', Math.round, count),
  LOAD: axis('Pings a day for each 100 people', (value) => value, twoDigits),
  MEDIAN_DAYS: axis('Nights', (value) => value, oneDigit),
};

/** Returns the axis of a chart of these values: durations in the unit of the longest. */
export function axisOf(unit: SpotlightUnit, values: readonly (number | null)[]): Axis {
  if (unit !== 'MEDIAN_MINUTES') return AXES[unit];
  const longest = Math.max(0, ...values.filter((value) => value !== null));
  const [label, minutes, format] =
    Math.round(longest) < HOUR
      ? (['Minutes', 1, count] as const)
      : longest < 2 * DAY
        ? (['Hours', HOUR, oneDigit] as const)
        : (['Days', DAY, oneDigit] as const);
  const { at, text } = axis(
    label,
    (value) => (minutes === 1 && value >= 1 ? Math.round(value) : value / minutes),
    format,
  );
  const least = minutes === 1 ? 1 : 0.1;
  return { label, at, text: (value) => (value / minutes < least ? `<${least}` : text(value)) };
}

/** Whether there is nothing to count. A number that is hidden is none that is known. */
export const isNone = ({ value, denominator }: SpotlightFigure): boolean => value === null && denominator === 0;

/** Returns the figure in words, or that there is none or it is not shown. */
export const figureInWords = (unit: SpotlightUnit, figure: SpotlightFigure): string =>
  figure.value === null ? (isNone(figure) ? 'None' : 'Not shown') : valueInWords(unit, figure.value);

/** Returns what was found, in one sentence. */
export function findingOf({ name, unit, figure }: Pick<Spotlight, 'name' | 'unit' | 'figure'>): string {
  const { finding, cases } = SPOTLIGHT_WORDS[name];
  if (figure.value !== null) return finding(valueInWords(unit, figure.value));
  return isNone(figure) ? `No ${cases[1]} in this period` : `Too few ${cases[1]} to tell`;
}

/** Returns the numbers behind it. */
export function numbersOf({ name, figure }: Pick<Spotlight, 'name' | 'figure'>): string {
  const { numerator, denominator } = figure;
  if (isNone(figure)) return `No ${SPOTLIGHT_WORDS[name].cases[1]}`;
  if (numerator === null || denominator === null) return 'Not shown';
  return SPOTLIGHT_WORDS[name].numbers({ numerator: count.format(numerator), denominator: count.format(denominator) });
}

export const periodInWords = ({ from, to }: { from: string; to: string }): string =>
  from === to ? formatDate(from) : `${formatDate(from)}–${formatDate(to)}`;

/** Returns how the period compares with the one before. */
export function comparisonOf({
  comparison,
  previous,
  unit,
  figure,
}: Pick<Spotlight, 'comparison' | 'previous' | 'unit' | 'figure'>): string {
  const then = periodInWords(previous);
  if (comparison === 'TOO_FEW' || previous.figure.value === null) return `Too few to compare with ${then}`;
  const value = valueInWords(unit, previous.figure.value);
  // What differs by less than is shown would read as a contradiction.
  if (value === figureInWords(unit, figure)) return `The same as ${then} (${value})`;
  if (comparison === 'NOT_SIGNIFICANT') return `No significant difference from ${then} (${value})`;
  return `${comparison === 'HIGHER' ? 'Higher' : 'Lower'} than ${then} (${value})`;
}

/** Returns a number of cases; null stands for one that is too small to be told. */
const orFew = (number: number | null): string => (number === null ? 'fewer than 11' : count.format(number));

/** Returns whom the numbers are about. */
export const peopleOf = ({ people, share }: Pick<Spotlight, 'people' | 'share'>): string =>
  share === null ? orFew(people) : `${orFew(people)}, a fixed ${oneDigit.format(share * 100)}% of all`;

/** Returns what else is to be known about the number: that it is hidden, what is not counted yet, how the pings ended. */
export function detailsOf({ name, figure, open, endings, period }: Spotlight): string[] {
  if (isNone(figure)) return [];
  if (figure.numerator === null) return ['Not shown, because one of the numbers is from 1 to 10.'];
  const details: string[] = [];
  if (open !== 0) details.push(`Not counted yet, because their time has not passed: ${orFew(open)}.`);
  if (name !== 'alert-load') return details;
  const days = (Date.parse(period.to) - Date.parse(period.from)) / 86_400_000 + 1;
  details.push(`${oneDigit.format(figure.numerator / days)} pings a day for the team.`);
  details.push(
    endings
      ? `Needed action: ${count.format(endings.byPeople + endings.open)} (resolved by someone ${count.format(endings.byPeople)}, open ${count.format(endings.open)}). Resolved by the system: ${count.format(endings.bySystem)}.`
      : 'How they ended is not shown, because one of the numbers is from 1 to 10.',
  );
  return details;
}
