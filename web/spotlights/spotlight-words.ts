/** What the spotlights are called, and how their numbers are said. */
import type { Spotlight, SpotlightFigure, SpotlightName, SpotlightUnit } from '#contract/spotlights.ts';
import { formatDate, formatMinutes } from '../ui/format/date.ts';

interface Words {
  label: string;
  /** What is counted, in the singular and plural. */
  cases: readonly [one: string, many: string];
  /** The finding about a value that was formatted. */
  finding: (value: string) => string;
  /** The numbers behind it. */
  numbers: (figure: { numerator: string; denominator: string }) => string;
  definition: readonly string[];
}

const LISTED =
  'People whom the team listed at some time in the period, and their visits that the team may see. Those who have left since count for the time before.';

export const SPOTLIGHT_WORDS: Record<SpotlightName, Words> = {
  readmissions: {
    label: '30-day readmissions',
    cases: ['discharge', 'discharges'],
    finding: (value) => `${value} of discharges were followed by a readmission within 30 days`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} discharges`,
    definition: [
      'Counted: inpatient stays that ended in the period and that the patient left alive.',
      "Readmitted: an unplanned admission to any hospital within 30 days. Modeled on CMS's hospital-wide measure, and an estimate: messages don't tell all that claims do.",
      'Not counted: stays that ended against medical advice, for cancer treatment, or mainly psychiatric. A transfer is one stay; births and planned admissions are no readmissions.',
      LISTED,
    ],
  },
  'admissions-and-ed-use': {
    label: 'Admissions and ED use',
    cases: ['visit', 'visits'],
    finding: (value) => `${value} visits to hospitals a year for each 1,000 people`,
    numbers: ({ numerator, denominator }) => `${numerator} visits of ${denominator} people`,
    definition: [
      'Counted: visits to an emergency department, observation and inpatient stays that began in the period. What follows an arrival, such as the admission or a transfer, is part of one visit.',
      LISTED,
    ],
  },
  'length-of-stay': {
    label: 'Length of stay',
    cases: ['stay', 'stays'],
    finding: (value) => `Half of the inpatient stays lasted ${value} or less`,
    numbers: ({ denominator }) => `${denominator} stays`,
    definition: [
      'Counted: inpatient stays that ended in the period, by the nights from admission to discharge. The number is the median.',
      'Not counted: swing beds and other beds that an acute stay led to.',
      LISTED,
    ],
  },
  'follow-up': {
    label: 'Follow-up in time',
    cases: ['discharge', 'discharges'],
    finding: (value) => `After ${value} of discharges home, the patient was reached within two business days`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} discharges`,
    definition: [
      'Counted: discharges to the community in the period from settings that start transitional care management, where the two business days have passed.',
      'In time: the patient or a caregiver was reached by the second business day. Two attempts that reached nobody are not counted as reached, although a claim may rest on them.',
      'Not counted: patients who died or were admitted again before then.',
      LISTED,
    ],
  },
  'time-to-resolve': {
    label: 'Time to resolve',
    cases: ['ping', 'pings'],
    finding: (value) => `Half of the resolved pings were resolved within ${value}`,
    numbers: ({ numerator, denominator }) => `${numerator} of ${denominator} pings were resolved by someone`,
    definition: [
      'Counted: pings that the groups got in the period, about people on their lists in the period. The number is the median time until someone resolved or dismissed them.',
      'Not in the median: pings that are open, and those that the system resolved.',
    ],
  },
  'feed-timeliness': {
    label: 'How soon events arrive',
    cases: ['event', 'events'],
    finding: (value) => `Half of the events were received within ${value}`,
    numbers: ({ denominator }) => `${denominator} events`,
    definition: [
      'Counted: events that the groups were notified of in the period. The number is the median time from the event, as its sender gives it, until its message was received.',
      'Not counted: events entered by hand, and those with a day and no time.',
    ],
  },
};

const count = new Intl.NumberFormat('en-US');
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Returns a figure's value in words: "14.2 %", "4 nights", "2 hr 5 min". */
export function valueInWords(unit: SpotlightUnit, value: number): string {
  switch (unit) {
    case 'SHARE':
      return `${oneDigit.format(value * 100)} %`;
    case 'RATE':
      return count.format(Math.round(value));
    case 'MEDIAN_DAYS':
      return value === 1 ? '1 night' : `${oneDigit.format(value)} nights`;
    case 'MEDIAN_MINUTES':
      return value < 1 ? 'a minute' : formatMinutes(Math.round(value));
  }
}

/** The number on the axis of a chart. */
export const onAxis = (unit: SpotlightUnit, value: number): number =>
  unit === 'RATE'
    ? Math.round(value)
    : Math.round((unit === 'SHARE' ? value * 100 : unit === 'MEDIAN_MINUTES' ? value / 60 : value) * 10) / 10;

export const AXIS: Record<SpotlightUnit, string> = {
  SHARE: 'Percent',
  RATE: 'A year for each 1,000 people',
  MEDIAN_DAYS: 'Nights',
  MEDIAN_MINUTES: 'Hours',
};

/** Returns the figure in words, or that there are too few cases. */
export const figureInWords = (unit: SpotlightUnit, { value }: SpotlightFigure): string =>
  value === null ? 'Too few to show' : valueInWords(unit, value);

/** Returns what was found, in one sentence. */
export function findingOf({ name, unit, figure }: Pick<Spotlight, 'name' | 'unit' | 'figure'>): string {
  const { finding, cases } = SPOTLIGHT_WORDS[name];
  return figure.value === null ? `Too few ${cases[1]} to tell` : finding(valueInWords(unit, figure.value));
}

/** Returns the numbers behind it. */
export function numbersOf({ name, figure: { numerator, denominator } }: Pick<Spotlight, 'name' | 'figure'>): string {
  const { numbers, cases } = SPOTLIGHT_WORDS[name];
  if (numerator === null || denominator === null) return `Fewer than 11 ${cases[1]}`;
  return numbers({ numerator: count.format(numerator), denominator: count.format(denominator) });
}

export const periodInWords = ({ from, to }: { from: string; to: string }): string =>
  from === to ? formatDate(from) : `${formatDate(from)}–${formatDate(to)}`;

/** Returns how the period compares with the one before. */
export function comparisonOf({
  comparison,
  previous,
  unit,
}: Pick<Spotlight, 'comparison' | 'previous' | 'unit'>): string {
  const then = periodInWords(previous);
  if (comparison === 'TOO_FEW' || previous.figure.value === null) return `Too few to compare with ${then}`;
  const value = valueInWords(unit, previous.figure.value);
  if (comparison === 'NOT_SIGNIFICANT') return `No significant difference from ${then} (${value})`;
  return `${comparison === 'HIGHER' ? 'Higher' : 'Lower'} than ${then} (${value})`;
}

/** Returns whom the numbers are about. */
export const peopleOf = ({ people, share }: Pick<Spotlight, 'people' | 'share'>): string =>
  share === null ? count.format(people) : `${count.format(people)}, a fixed ${oneDigit.format(share * 100)} % of all`;
