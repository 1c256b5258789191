import { Text } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import { SETTING_LABELS } from '#contract/event-codes.ts';
import type { EncounterDetails } from '#contract/patient-details.ts';
import type { Encounter, Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { EHR, facilityLabel, MANAGING_PROVIDER, NO_INFORMATION, UNAVAILABLE } from '../patient/encounter-words.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { cameFrom } from '../patient/phrases.ts';
import { changedFromInpatient, durationInWords, endWord, isOutpatientAccount, seriesInWords } from '../patient/stay.ts';
import { OwnNumber, Telephone } from '../patient/telephone.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { groupedId } from '../ui/format/name.ts';
import classes from './ping-detail.module.css';

/** A death that was reported without a stay has only a date. */
const endLabel = (stay: Encounter): string =>
  stay.admittedDate === null && stay.pings.every(({ status }) => status === 'DECEASED') ? 'Died' : endWord(stay);

const WITHOUT_ADMISSION = new Set<Encounter['setting']>(['EMERGENCY', 'OUTPATIENT', 'URGENT_CARE']);

/** Nobody is admitted who is expected, who comes to an emergency department or for a visit, or who is observed. */
const beginLabel = (stay: Encounter): string => {
  const { setting } = stay;
  if (stay.status === 'PLANNED' || stay.onlyPlanned) return 'Planned for';
  if (stay.inpatientFrom || changedFromInpatient(stay)) return 'Admitted';
  if (stay.series) return 'Series since';
  if (WITHOUT_ADMISSION.has(setting)) return 'Arrived';
  return setting === 'OBSERVATION' ? 'In observation from' : setting === 'HHA' ? 'Started' : 'Admitted';
};

/** A single patient's page knows the stay before, too. */
type Stay = Encounter & Partial<Pick<EncounterDetails, 'admittedFromLocation'>>;

/** Where the patient came from: as the admission's line in the list says it, or from which stay. */
const admittedFrom = (stay: Stay): string | null => {
  const admission = stay.pings.findLast(({ status, state }) => status === 'ADMIT' && state !== 'CANCELLED');
  return stay.admittedFrom ?? (admission && cameFrom(admission)) ?? stay.admittedFromLocation ?? null;
};

const joined = (values: (string | null | undefined)[], by = ', '): string | null =>
  values.filter(Boolean).join(by) || null;

const nightsInWords = (stay: Encounter): string => {
  const { inpatientNights, nightsWithEarlierStay: earlier } = stay;
  if (earlier)
    return `${earlier.own} in this stay · ${inpatientNights} in a row, with the stay of ${formatDate(earlier.since)}`;
  return changedFromInpatient(stay)
    ? `${inpatientNights}: a stay that the hospital changes from inpatient counts as if it had never been one`
    : `${inpatientNights}`;
};

/** What its sender took back: nobody should act on it. */
const Retracted = ({ what }: { what: string }) => (
  <>
    <s>{what}</s> Canceled
  </>
);

/** The stay as its facility reported it. */
export const StayFacts = ({ stay, patient }: { stay: Stay; patient: Patient }) => {
  const { detailsVisible } = patient;
  const { admittingFacility: facility } = stay;
  const when = (value: string | null): string | null => value && formatDateTime(value, facility.timeZone);
  const change = changedFromInpatient(stay);
  const isRetracted = stay.status === 'CANCELLED';
  const length: Fact[] = isOutpatientAccount(stay) ? [] : [['Length of stay', durationInWords(stay)]];
  const begun = joined([
    when(stay.inpatientFrom ?? stay.admittedDate),
    stay.admissionDatedByReceipt ? 'when the message arrived' : null,
  ]);
  const facts: Fact[] = [
    [facilityLabel(facility), facility.name],
    ['Setting', SETTING_LABELS[stay.setting]],
    ...(stay.observedFrom ? ([['In observation from', when(stay.observedFrom)]] satisfies Fact[]) : []),
    ...(stay.series ? ([['Visits', seriesInWords(stay)]] satisfies Fact[]) : []),
    [beginLabel(stay), isRetracted && begun ? <Retracted key="begin" what={begun} /> : begun],
    ...(change ? ([[`Changed to ${SETTING_LABELS[stay.setting].toLowerCase()}`, when(change)]] satisfies Fact[]) : []),
    ...(isRetracted
      ? []
      : stay.dischargedDate
        ? ([[endLabel(stay), when(stay.dischargedDate)]] satisfies Fact[])
        : length),
    ['Unit, room, bed', joined([stay.pointOfCare, stay.room, stay.bed]) ?? NO_INFORMATION],
    [MANAGING_PROVIDER, stay.attendingProvider],
    ['Admit reason', stay.admitReason],
    ['Admitted from', admittedFrom(stay)],
    ...(stay.dischargedDate
      ? ([
          ['Discharged to', joined([...new Set([stay.dischargeTo, stay.dischargeDisposition])])],
          ...length,
        ] satisfies Fact[])
      : []),
    ...(stay.inpatientNights === null
      ? []
      : // What they mean for coverage also depends on other stays (42 CFR 409.30(b)): the waiver's check says it.
        [['Inpatient nights', nightsInWords(stay)] satisfies Fact]),
    ['Payer', detailsVisible ? joined(stay.payors) : "You don't have access"],
  ];
  return (
    <>
      <Facts facts={facts} missing={UNAVAILABLE} />
      {facility.isPart2Facility && (
        <Text size="xs" c="dimmed" mt="xs">
          {PART2_NOTICE}
        </Text>
      )}
    </>
  );
};

/** The diagnoses of the stay, each with its text first and its code second. */
export const Diagnoses = ({ stay }: { stay: Encounter }) =>
  stay.allEncounterDiagnoses.length === 0 ? (
    <Text c="dimmed" size="sm">
      No diagnoses recorded for this stay.
    </Text>
  ) : (
    <ul className={classes.plain}>
      {stay.allEncounterDiagnoses.map(({ fullCode, synonym }) => (
        <li key={fullCode}>
          {synonym ?? 'No description'} <span className={classes.dim}>{fullCode}</span>
          {stay.diagnosis?.fullCode === fullCode && <span className={classes.dim}> · Principal</span>}
        </li>
      ))}
    </ul>
  );

const isFacility = ({ groupType }: Patient['listings'][number]): boolean => groupType !== 'PROGRAM';

/** Returns the programs, or the facilities, that list the patient, each with its number for the patient. */
const listedBy = ({ listings }: Patient, isProgram: boolean): string | null =>
  joined(
    listings
      .filter((listing) => isFacility(listing) !== isProgram)
      .map(({ groupName, memberId, leftAt }) =>
        joined([groupName, memberId && groupedId(memberId), leftAt && `removed ${formatDate(leftAt)}`], ' · '),
      ),
    '; ',
  );

/** Programs, care team, rosters, insurance and contact details of the patient. */
export const People = ({ patient, ping }: { patient: Patient; ping: Ping | null }) => {
  const { address } = patient;
  const coordinators = patient.careCoordinators.length ? patient.careCoordinators : (ping?.careCoordinators ?? []);
  const facts: Fact[] = [
    ['Programs', joined(patient.programs.map(({ name }) => name))],
    [
      'Care coordinators',
      coordinators.length
        ? coordinators.map(({ fullName, telephone }) => (
            <div key={fullName}>
              <Telephone name={fullName} number={telephone} />
            </div>
          ))
        : null,
    ],
    [
      'Providers',
      patient.providers.length
        ? patient.providers.map(({ id, fullName, telephone }) => (
            <div key={id}>
              <Telephone name={fullName} number={telephone} />
            </div>
          ))
        : null,
    ],
    ['Practices', joined(patient.practices.map(({ name }) => name))],
    ['Rosters', listedBy(patient, true)],
    ...(patient.listings.some(isFacility) ? [[EHR, listedBy(patient, false)] satisfies Fact] : []),
    ...(patient.detailsVisible
      ? // `Facts` uses the names as keys.
        // oxlint-disable react/jsx-key
        ([
          ['Insurance', joined(patient.insurancePlans.map(({ value }) => value))],
          [
            'Address',
            address &&
              joined([address.address1, address.address2, address.city, joined([address.state, address.zip], ' ')]),
          ],
          [
            'Home phone',
            address?.homePhone ? <OwnNumber patient={patient} name="Home" number={address.homePhone} /> : null,
          ],
          [
            'Mobile phone',
            address?.mobilePhone ? <OwnNumber patient={patient} name="Mobile" number={address.mobilePhone} /> : null,
          ],
        ] satisfies Fact[])
      : // oxlint-enable react/jsx-key
        []),
    [
      'Last 12 months',
      joined([
        counted(patient.encounterCounts.emergency, 'ED visit'),
        counted(patient.encounterCounts.inpatient, 'inpatient stay'),
        counted(patient.encounterCounts.postAcute, 'post-acute stay'),
      ]),
    ],
  ];
  return (
    <>
      <Facts facts={facts} missing={UNAVAILABLE} />
      {!patient.detailsVisible && (
        <Text size="sm" c="dimmed" mt="xs">
          You don't have access to this patient's address, phone numbers, insurance, or member IDs.
        </Text>
      )}
    </>
  );
};
