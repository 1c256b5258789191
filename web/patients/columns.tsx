import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { Permission } from '#contract/permissions.ts';
import { EventIcon } from '../inbox/badges.tsx';
import { eventPhrase } from '../patient/phrases.ts';
import { stayDay } from '../patient/stay.ts';
import { profileQuery, savePreferences } from '../session/preferences.ts';
import { useSession } from '../session/session.ts';
import { eventTime, formatDate } from '../ui/format/date.ts';
import { showToast } from '../ui/toasts.tsx';
import classes from './patients.module.css';
import { daysInWords, Variance } from './variance.tsx';

export interface Column {
  label: string;
  /** Without it the column is not offered: its values would be missing. */
  permission?: Permission;
  /** Of numbers: stands at the right. */
  number?: true;
  cell: (patient: Patient, now: Date) => ReactNode | null;
}

const names = (all: readonly { name: string }[]): string | null => all.map(({ name }) => name).join(', ') || null;
const fullNames = (all: readonly { fullName: string }[]): string | null =>
  all.map(({ fullName }) => fullName).join(', ') || null;

/** Longer names of tags are shortened, and stand in full in the title (specification, sections 2 and 9). */
const TAG_SHOWN = 30;
const shortTag = (tag: string): string => (tag.length > TAG_SHOWN ? `${tag.slice(0, TAG_SHOWN)}…` : tag);

/** What a row can say besides who it is about, which cannot be left out. */
export const COLUMNS = {
  status: {
    label: 'Current status',
    cell: ({ currentPing: ping }, now) =>
      ping && (
        <>
          <span className={classes.event}>
            <EventIcon ping={ping} />
            <span>{ping.state === 'CANCELLED' ? `Cancelled: ${eventPhrase(ping)}` : eventPhrase(ping)}</span>
          </span>
          <time className={classes.dim} dateTime={ping.eventDate}>
            {eventTime(ping.eventDate, ping.facility.timeZone, now)}
          </time>
        </>
      ),
  },
  facility: {
    label: 'Facility',
    cell: ({ currentPingEncounter: stay }) => {
      if (!stay) return null;
      const place = [
        stay.pointOfCare,
        stay.room && `room\u00a0${stay.room}`,
        stay.bed && `bed\u00a0${stay.bed}`,
      ].filter(Boolean);
      return (
        <div className={classes.place}>
          {stay.admittingFacility.name}
          {place.length > 0 && !stay.dischargedDate && <span className={classes.dim}>{place.join(', ')}</span>}
        </div>
      );
    },
  },
  admitted: {
    label: 'Admitted',
    cell: ({ currentPingEncounter: stay }) =>
      stay?.admittedDate ? (
        <time className={classes.short} dateTime={stay.admittedDate}>
          {formatDate(stay.admittedDate, stay.admittingFacility.timeZone)}
        </time>
      ) : null,
  },
  stay: {
    label: 'Stay',
    cell: ({ currentPingEncounter: stay }) =>
      stay ? <span className={classes.short}>{stayDay(stay) ?? 'Not recorded'}</span> : null,
  },
  expected: {
    label: 'Expected',
    cell: ({ currentPingEncounter: stay }) => {
      const { expectedLengthOfStay: days = null, expectedDischargeDate: until = null } = stay ?? {};
      if (!stay || days === null) return <span className={classes.dim}>No benchmark</span>;
      return (
        <span className={classes.short}>
          {daysInWords(days)}
          {until && (
            <time className={classes.dim} dateTime={until}>
              until {formatDate(until, stay.admittingFacility.timeZone)}
            </time>
          )}
        </span>
      );
    },
  },
  variance: {
    label: 'Variance',
    cell: ({ currentPingEncounter: stay }) => (stay ? <Variance stay={stay} /> : null),
  },
  managing: { label: 'Managing provider', cell: ({ currentPingEncounter: stay }) => stay?.attendingProvider ?? null },
  diagnosis: {
    label: 'Diagnosis',
    cell: ({ currentPingEncounter: stay }) =>
      stay?.diagnosis ? [stay.diagnosis.synonym, stay.diagnosis.fullCode].filter(Boolean).join(' · ') : null,
  },
  program: { label: 'Program', cell: ({ programs }) => names(programs) },
  practice: { label: 'Practice', cell: ({ practices }) => names(practices) },
  provider: { label: 'Provider', cell: ({ providers }) => fullNames(providers) },
  coordinator: { label: 'Care coordinator', cell: ({ careCoordinators }) => fullNames(careCoordinators) },
  emergency: { label: 'ED visits, 12 months', number: true, cell: (patient) => patient.emergencyRoomVisitCount },
  inpatient: {
    label: 'Inpatient stays, 12 months',
    number: true,
    cell: (patient) => patient.encounterCounts.inpatient,
  },
  tags: {
    label: 'Tags',
    permission: 'canViewPatientTags',
    cell: ({ patientTags }) =>
      patientTags.length > 0
        ? patientTags.map((tag, at) => (
            <span key={tag} title={tag.length > TAG_SHOWN ? tag : undefined}>
              {at > 0 && ', '}
              {shortTag(tag)}
            </span>
          ))
        : null,
  },
  city: {
    label: 'City',
    permission: 'canViewAllPatientDetails',
    cell: ({ address }) => [address?.city, address?.state].filter(Boolean).join(', ') || null,
  },
} as const satisfies Record<string, Column>;
export type ColumnKey = keyof typeof COLUMNS;
const KEYS = Object.keys(COLUMNS) as ColumnKey[];

/** What a list may show, in this order, and what it shows unless its reader has chosen. */
interface ColumnsOf {
  /** Where the choice is kept. */
  preference: 'patientColumns' | 'stayColumns';
  offered: readonly ColumnKey[];
  usual: readonly ColumnKey[];
}
export const PATIENT_COLUMNS: ColumnsOf = {
  preference: 'patientColumns',
  offered: KEYS.filter((key) => key !== 'expected' && key !== 'variance'),
  usual: ['status', 'facility', 'stay', 'program', 'provider'],
};
/** A hospital's own patients are in no program. */
export const HOSPITAL_COLUMNS: ColumnsOf = {
  ...PATIENT_COLUMNS,
  usual: ['status', 'facility', 'stay', 'managing', 'diagnosis'],
};
const STAY_COLUMNS_USUAL: ColumnKey[] = ['facility', 'admitted', 'stay', 'expected', 'variance', 'program', 'status'];
export const STAY_COLUMNS: ColumnsOf = {
  preference: 'stayColumns',
  offered: [...new Set([...STAY_COLUMNS_USUAL, ...KEYS])],
  usual: STAY_COLUMNS_USUAL,
};

/** The columns of a list that its reader has chosen, kept with his or her preferences; those that need a right only with it. */
export const useColumns = ({ preference, offered: all, usual }: ColumnsOf) => {
  const { can } = useSession();
  const { data: profile } = useQuery({ ...profileQuery, retry: false });
  const [chosen, choose] = useState<readonly ColumnKey[] | null>(null);
  const offered = all.filter((key) => {
    const { permission }: Column = COLUMNS[key];
    return !permission || can(permission);
  });
  const kept: readonly string[] = chosen ?? profile?.preferences[preference] ?? usual;
  const keys = offered.filter((key) => kept.includes(key));
  const set = (next: readonly ColumnKey[]): void => {
    choose(next);
    if (!profile) return;
    savePreferences({ ...profile.preferences, [preference]: [...next] }).catch(() =>
      showToast({
        type: 'warning',
        message: 'Your choice of columns was not saved. It holds until you leave the page.',
      }),
    );
  };
  return {
    offered,
    keys,
    columns: keys.map((key): Column => COLUMNS[key]),
    toggle: (key: ColumnKey): void =>
      set(all.filter((one) => (one === key ? !kept.includes(key) : kept.includes(one)))),
    reset: (): void => set(usual),
  };
};
