import { EVENT_LABELS, SETTING_LABELS, type Setting } from '#contract/event-codes.ts';
import { MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { age, localDay } from '../ui/format/age.ts';
import { eventTime, formatDate, formatMinutes, longDate } from '../ui/format/date.ts';
import { spokenName } from '../ui/format/name.ts';

/** Shorter delays between an event and its message are not worth a reader's attention. In minutes. */
const NOTABLE_DELAY = 4 * 60;

/** Returns the label of a setting; null where the setting is unknown. */
const settingLabel = (setting: Setting | null): string | null =>
  setting === null || setting === 'UNKNOWN' ? null : SETTING_LABELS[setting];

/** Returns 'to Home', 'left against medical advice': who leaves so was sent nowhere. */
export const whereTo = (destination: string): string =>
  destination.startsWith('Left ') ? destination.replace('Left', 'left') : `to ${destination}`;

/** What a phrase says of an event. */
export type PhrasedEvent = Pick<Ping, 'status' | 'setting' | 'dischargedTo' | 'payor'>;

/** Returns what happened: "Admitted — Inpatient", "Discharged — to Oak Hollow SNF". */
export const eventPhrase = (ping: PhrasedEvent): string => {
  const label = EVENT_LABELS[ping.status];
  if (ping.status === 'DISCHARGE') return ping.dischargedTo ? `${label} — ${whereTo(ping.dischargedTo)}` : label;
  if (ping.status === 'DECEASED') return label;
  if (ping.status === 'PAYOR_CHANGE' && ping.payor) return `${label} — ${ping.payor}`;
  const setting = settingLabel(ping.setting);
  return setting ? `${label} — ${setting}` : label;
};

/** Returns the event phrase for plain text, with "Canceled:" in front of an event that its sender retracted. */
export const plainEventPhrase = (ping: Ping): string =>
  ping.state === 'CANCELLED' ? `Canceled: ${eventPhrase(ping)}` : eventPhrase(ping);

/** Returns where the patient came from ("Emergency"), or null where no source says so. */
export const cameFrom = ({ status, priorSetting, setting, admittedFrom }: Ping): string | null =>
  status !== 'ADMIT' && status !== 'TRANSFER' && status !== 'PRESENTED'
    ? null
    : (admittedFrom ?? (priorSetting === setting ? null : settingLabel(priorSetting)));

/** Returns the same for a line: "from Emergency". */
export const origin = (ping: Ping): string | null => {
  const from = cameFrom(ping);
  return from && `from ${from}`;
};

/** Returns what must be known about the time of an event: "received 6 hours later"; null where the message arrived soon after it. */
export const delayPhrase = ({ datedByReceipt, datedByReport, entryDelay }: Ping): string | null =>
  datedByReceipt
    ? 'when the message arrived'
    : datedByReport
      ? 'when it was reported'
      : entryDelay > NOTABLE_DELAY
        ? `received ${formatMinutes(entryDelay)} later`
        : null;

/** Returns "MM/DD/YYYY (age)", or a statement that the birth date is not recorded. */
export const born = (dateOfBirth: string | null, now: Date): string => {
  if (!dateOfBirth) return 'Birth date not recorded';
  const years = age(dateOfBirth, localDay(now));
  return years ? `${formatDate(dateOfBirth)} (${years})` : formatDate(dateOfBirth);
};

/** Returns what `born` does of a patient, with the age at death of one who has died; without an age if nobody said when that was. */
export const bornOf = (patient: Patient, now: Date): string => {
  const { dateOfBirth, deceased, deceasedDate } = patient;
  if (!deceased || !dateOfBirth) return born(dateOfBirth, now);
  const isDated = !patient.isDeceasedDateReported && !patient.isDeathInDoubt;
  const at = isDated && deceasedDate && age(dateOfBirth, deceasedDate.slice(0, 10));
  return formatDate(dateOfBirth) + (at ? ` (${at} at death)` : '');
};

/** Returns the member ID shown beside name and birth date: from a current roster if there is one, else from a former one. */
export const memberId = ({ listings }: Patient): string | null =>
  (listings.find(({ leftAt, memberId: id }) => !leftAt && id) ?? listings.find(({ memberId: id }) => id))?.memberId ??
  null;

/** Returns a row for screen readers, in whole words: who, what, where, when, why, and the status. */
export const spokenRow = (patient: Patient, ping: Ping, now: Date): string =>
  [
    `${spokenName(patient)}, ${patient.dateOfBirth ? `born ${longDate(patient.dateOfBirth)}` : 'birth date not recorded'}`,
    plainEventPhrase(ping),
    ping.facility.name,
    eventTime(ping.eventDate, ping.facility.timeZone, now),
    ping.reason?.label,
    `Status ${MANAGEMENT_STATUS_LABELS[ping.currentManagementStatus.status]}`,
  ]
    .filter(Boolean)
    .join('. ');
