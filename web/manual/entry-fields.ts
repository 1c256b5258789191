/** Date and time fields of an event, as a form has them and as a call sends them. */
import { entryCodes } from '#contract/entry-codes.ts';
import { EVENT_LABELS, type EventCode, startsVisit } from '#contract/event-codes.ts';

type Kind = Parameters<typeof entryCodes>[0];

const choices = (codes: readonly EventCode[]) => codes.map((value) => ({ value, label: EVENT_LABELS[value] }));
/** Returns the events that begin a visit at a facility of this kind. */
export const firstChoices = (kind: Kind) => choices(entryCodes(kind).filter(startsVisit));
/** Returns the other events there. Codes that only a job of ours gives are not offered. */
export const laterChoices = (kind: Kind) =>
  choices(entryCodes(kind).filter((code) => !startsVisit(code) && code !== 'CLOSED'));
