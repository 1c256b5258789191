/** Date and time fields of an event, as a form has them and as a call sends them. */
import { EVENT_LABELS, type EventCode, startsVisit } from '#contract/event-codes.ts';

/** As the contract has them; its schemas are not loaded in the browser. Characters. */
export const LIMITS = {
  name: 100,
  suffix: 20,
  record: 60,
  line: 200,
  city: 100,
  state: 30,
  zip: 10,
  phone: 30,
  medicare: 20,
};

export const CODES = Object.keys(EVENT_LABELS) as EventCode[];
/** Codes that only a job of ours gives are not offered. */
const choices = (codes: readonly EventCode[]) => codes.map((value) => ({ value, label: EVENT_LABELS[value] }));
export const FIRST_CHOICES = choices(CODES.filter(startsVisit));
export const LATER_CHOICES = choices(CODES.filter((code) => !startsVisit(code) && code !== 'CLOSED'));

const FORMAT = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** Returns an instant as local date and time, YYYY-MM-DD and HH:MM; a day has no time. */
export const localOf = (value: string, timeZone: string): { date: string; time: string } => {
  if (value.length === 10) return { date: value, time: '' };
  const parts = new Intl.DateTimeFormat('en-US', { ...FORMAT, timeZone }).formatToParts(new Date(value));
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
};

/** Returns a local date with its time as an instant, or the date alone if there is no time. */
export const eventDateOf = (date: string, time: string, timeZone: string): string => {
  if (time === '') return date;
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  if (Number.isNaN(asUtc)) return date;
  // Twice: the first guess may lie on the other side of a change of the clock.
  let instant = asUtc;
  for (let turn = 0; turn < 2; turn += 1) {
    const local = localOf(new Date(instant).toISOString(), timeZone);
    instant += asUtc - Date.parse(`${local.date}T${local.time}:00Z`);
  }
  return new Date(instant).toISOString();
};
