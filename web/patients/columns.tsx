import { Fragment, type ReactNode } from 'react';
import { counted } from '#contract/counted.ts';
import type { Patient } from '#contract/patients.ts';
import type { Permission } from '#contract/permissions.ts';
import { MANAGING_PROVIDER } from '../patient/encounter-words.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { plainEventPhrase } from '../patient/phrases.ts';
import { shortTag, tagTitle } from '../patient/short-tag.ts';
import { isOngoing, stayDay } from '../patient/stay.ts';
import { eventTime, formatDate } from '../ui/format/date.ts';
import classes from './patients.module.css';
import { Variance } from './variance.tsx';

export interface Column {
  label: string;
  /** Without it, users do not receive the values, so the column is not offered. */
  permission?: Permission;
  /** The values are numbers and aligned to the right. */
  number?: true;
  cell: (patient: Patient, now: Date) => ReactNode | null;
}

const names = (all: readonly { name: string }[]): string | null => all.map(({ name }) => name).join(', ') || null;
const fullNames = (all: readonly { fullName: string }[]): string | null =>
  all.map(({ fullName }) => fullName).join(', ') || null;

/** What a row can show besides the patient's identity, which is always there. */
export const COLUMNS = {
  status: {
    label: 'Current status',
    cell: ({ currentPing: ping }, now) =>
      ping && (
        <>
          <span className={classes.event}>
            <EventIcon ping={ping} />
            <span>{plainEventPhrase(ping)}</span>
          </span>
          <time className={classes.dim} dateTime={ping.eventDate}>
            {eventTime(ping.eventDate, ping.facility.timeZone, now)
              .split(' · ')
              .map((part, at) => (
                <Fragment key={part}>
                  {at > 0 && ' · '}
                  <span className={classes.short}>{part}</span>
                </Fragment>
              ))}
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
    cell: ({ currentPingEncounter: stay }) => {
      const day = stay && stayDay(stay);
      if (!stay || !day) return null;
      return (
        <span className={classes.short}>
          {day}
          {isOngoing(stay) && <span className={classes.dim}>{counted(stay.lengthOfStay ?? 0, 'day')} so far</span>}
          {Boolean(stay.leaveDays) && (
            <span className={classes.dim}>+ {counted(stay.leaveDays ?? 0, 'day')} on leave</span>
          )}
        </span>
      );
    },
  },
  expected: {
    label: 'Expected',
    cell: ({ currentPingEncounter: stay }) => {
      const { expectedLengthOfStay: days = null, expectedDischargeDate: until = null } = stay ?? {};
      if (!stay || days === null) return <span className={classes.dim}>No expected stay</span>;
      return (
        <span className={classes.short}>
          {counted(days, 'day')}
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
  managing: { label: MANAGING_PROVIDER, cell: ({ currentPingEncounter: stay }) => stay?.attendingProvider ?? null },
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
  lately: {
    label: 'Last 6 months',
    permission: 'canViewRisingRiskFlag',
    cell: ({ risingRiskInfo: risk }) =>
      risk && (
        <>
          <div className={classes.short}>{counted(risk.emergencyVisits, 'ED visit', 'ED visits')}</div>
          <div className={classes.short}>{counted(risk.inpatientStays, 'inpatient stay', 'inpatient stays')}</div>
        </>
      ),
  },
  tags: {
    label: 'Tags',
    permission: 'canViewPatientTags',
    cell: ({ patientTags }) =>
      patientTags.length > 0
        ? patientTags.map((tag, at) => (
            <span key={tag} title={tagTitle(tag)}>
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
