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
