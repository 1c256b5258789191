import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { Permission } from '#contract/permissions.ts';
import { EventIcon } from '../inbox/badges.tsx';
import { eventPhrase } from '../inbox/describe.ts';
import { profileQuery, savePreferences } from '../session/preferences.ts';
import { eventTime } from '../ui/format/date.ts';
import { showToast } from '../ui/toasts.tsx';
import classes from './patients.module.css';
import { stayDay } from './stay.ts';

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
      const place = [stay.pointOfCare, stay.room && `room ${stay.room}`, stay.bed && `bed ${stay.bed}`].filter(Boolean);
      return (
        <>
          {stay.admittingFacility.name}
          {place.length > 0 && !stay.dischargedDate && <span className={classes.dim}>{place.join(', ')}</span>}
        </>
      );
    },
  },
  stay: {
    label: 'Stay',
    cell: ({ currentPingEncounter: stay }) =>
      stay ? <span className={classes.short}>{stayDay(stay) ?? 'Not recorded'}</span> : null,
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
export const COLUMN_KEYS = Object.keys(COLUMNS) as ColumnKey[];
const USUAL: ColumnKey[] = ['status', 'facility', 'stay', 'program', 'provider'];

const known = (stored: readonly unknown[]): ColumnKey[] => COLUMN_KEYS.filter((key) => stored.includes(key));

/** The columns that the user has chosen, kept with his or her preferences. */
export const useColumns = () => {
  const { data: profile } = useQuery({ ...profileQuery, retry: false });
  const [chosen, choose] = useState<ColumnKey[] | null>(null);
  const kept = profile?.preferences.patientColumns;
  const keys = chosen ?? (kept ? known(kept) : USUAL);
  const set = (next: ColumnKey[]): void => {
    choose(next);
    if (!profile) return;
    savePreferences({ ...profile.preferences, patientColumns: next }).catch(() =>
      showToast({
        type: 'warning',
        message: 'Your choice of columns was not saved. It holds until you leave the page.',
      }),
    );
  };
  return {
    keys,
    toggle: (key: ColumnKey): void =>
      set(COLUMN_KEYS.filter((one) => (one === key ? !keys.includes(key) : keys.includes(one)))),
    reset: (): void => set(USUAL),
  };
};
