/** How a visit began, in words. */

import { SETTING_LABELS } from '#contract/event-codes.ts';
import type { StoryEncounter } from '#contract/story.ts';
import { changedFromInpatient } from '../patient/stay.ts';
import { formatDateTime } from '../ui/format/date.ts';

type Began = Pick<
  StoryEncounter,
  'setting' | 'events' | 'admittedDate' | 'registeredDate' | 'observedFrom' | 'inpatientFrom'
>;

const admissionOf = ({ inpatientFrom, admittedDate }: Began): string | null => inpatientFrom ?? admittedDate;

/** Returns when the patient came to the emergency department, if the admission was later: the stay is as long as since then. */
const arrivalOf = (stay: Began): string | null => {
  if (stay.setting === 'EMERGENCY') return null;
  const arrival = stay.events.findLast(
    ({ status, state }) => status === 'PRESENTED' && state !== 'CANCELLED',
  )?.eventDate;
  const admitted = admissionOf(stay);
  return arrival && admitted && arrival < admitted ? arrival : null;
};

/** Returns when the patient came: to the emergency department, under observation, or with the admission. */
export const beganOn = (stay: Began): string | null => arrivalOf(stay) ?? stay.observedFrom ?? stay.admittedDate;

/** How a visit begins, in the words of its setting. Nobody is admitted for a visit, in an emergency department, or under observation. */
const beginLabel = ({ setting, inpatientFrom }: Began): string => {
  if (inpatientFrom) return 'Admitted';
  if (setting === 'EMERGENCY' || setting === 'OUTPATIENT' || setting === 'URGENT_CARE') return 'Arrived';
  if (setting === 'OBSERVATION') return 'In observation from';
  return setting === 'HHA' ? 'Started' : 'Admitted';
};

/** Returns "Arrived 11/19/2026 3:19 AM ET · Admitted 11/22/2026 7:00 AM ET". */
export const beginInWords = (stay: Began, timeZone: string): string => {
  const arrival = arrivalOf(stay);
  const admitted = admissionOf(stay);
  const before = [
    stay.registeredDate && `Registered ${formatDateTime(stay.registeredDate, timeZone)}`,
    arrival && `Arrived ${formatDateTime(arrival, timeZone)}`,
    stay.observedFrom && `In observation from ${formatDateTime(stay.observedFrom, timeZone)}`,
  ];
  const change = changedFromInpatient({ setting: stay.setting, pings: stay.events });
  const began = `${change ? 'Admitted' : beginLabel(stay)} ${admitted ? formatDateTime(admitted, timeZone) : 'at an unknown time'}`;
  const changed =
    change && `Changed to ${SETTING_LABELS[stay.setting].toLowerCase()} ${formatDateTime(change, timeZone)}`;
  return [...before, began, changed].filter(Boolean).join(' · ');
};
