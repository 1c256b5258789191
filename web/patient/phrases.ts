import { EVENT_LABELS, SETTING_LABELS, type Setting } from '#contract/event-codes.ts';
import { MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { age, localDay } from '../ui/format/age.ts';
import { eventTime, formatDate, formatMinutes, longDate } from '../ui/format/date.ts';
import { spokenName } from '../ui/format/name.ts';

/** A delay from which the row says when we were told (minutes). */
const WORTH_SAYING = 4 * 60;
const named = (setting: Setting | null): string | null =>
  setting === null || setting === 'UNKNOWN' ? null : SETTING_LABELS[setting];

/** What happened: "Admitted — Inpatient", "Discharged — to Oak Hollow SNF". */
export const eventPhrase = (ping: Ping): string => {
  const label = EVENT_LABELS[ping.status];
  if (ping.status === 'DISCHARGE') return ping.dischargedTo ? `${label} — to ${ping.dischargedTo}` : label;
  if (ping.status === 'DECEASED') return label;
  const setting = named(ping.setting);
  return setting ? `${label} — ${setting}` : label;
};

/** Where the patient came from, if a source says so. */
export const origin = ({ status, priorSetting, setting, admittedFrom }: Ping): string | null => {
  if (status !== 'ADMIT' && status !== 'TRANSFER' && status !== 'PRESENTED') return null;
  const from = admittedFrom ?? (priorSetting === setting ? null : named(priorSetting));
  return from && `from ${from}`;
};

/** "received 6 hours later", where we were told late enough for it to matter. */
export const delayPhrase = ({ entryDelay }: Ping): string | null =>
  entryDelay > WORTH_SAYING ? `received ${formatMinutes(entryDelay)} later` : null;

/** MM/DD/YYYY (age), or that the birth date is not recorded. */
export const born = (dateOfBirth: string | null, now: Date): string => {
  if (!dateOfBirth) return 'Birth date not recorded';
  const years = age(dateOfBirth, localDay(now));
  return years ? `${formatDate(dateOfBirth)} (${years})` : formatDate(dateOfBirth);
};

/** One identifier beside name and birth date: the member id of the oldest listing that still stands. */
export const memberId = ({ listings }: Patient): string | null =>
  (listings.find(({ leftAt, memberId: id }) => !leftAt && id) ?? listings.find(({ memberId: id }) => id))?.memberId ??
  null;

/** A row as it is read out: who, what, where, when, why and its status, in whole words. */
export const spokenRow = (patient: Patient, ping: Ping, now: Date): string =>
  [
    `${spokenName(patient)}, ${patient.dateOfBirth ? `born ${longDate(patient.dateOfBirth)}` : 'birth date not recorded'}`,
    ping.state === 'CANCELLED' ? `Cancelled: ${eventPhrase(ping)}` : eventPhrase(ping),
    ping.facility.name,
    eventTime(ping.eventDate, ping.facility.timeZone, now),
    ping.reason?.label,
    `Status ${MANAGEMENT_STATUS_LABELS[ping.currentManagementStatus.status]}`,
  ]
    .filter(Boolean)
    .join('. ');
