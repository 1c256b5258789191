import { Badge, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { SETTING_LABELS } from '#contract/event-codes.ts';
import type { Encounter, Patient } from '#contract/patients.ts';
import { age } from '../ui/format/age.ts';
import { formatDate, longDate } from '../ui/format/date.ts';
import { familyFirst, groupedId } from '../ui/format/name.ts';
import { IconLogout2 } from '../ui/icons.ts';
import { EventIcon } from './event-icon.tsx';
import classes from './patient-banner.module.css';
import { born } from './phrases.ts';
import { endWord } from './stay.ts';

/** The icon of an arrival there: of an ED it isn't a bed. */
const ArrivalIcon = ({ setting }: Pick<Encounter, 'setting'>) => <EventIcon ping={{ status: 'ADMIT', setting }} />;

/** Where the person is now. Of another stay than the one shown, with its place, so that the badge beside it isn't taken for the present. */
const Presence = ({ patient }: { patient: Patient }) => {
  const { currentPingEncounter: stay, deceased, isDeathInDoubt, nowAt } = patient;
  if (!stay || (deceased && !isDeathInDoubt)) return null;
  return (
    <span className={classes.presence} data-zone2>
      <span className={nowAt && classes.earlier}>
        <ShownStay stay={stay} isPast={nowAt !== undefined} />
      </span>
      {nowAt && (
        <Badge component="span" leftSection={<ArrivalIcon setting={nowAt.setting} />}>
          {`Now at ${nowAt.facilityName}: ${SETTING_LABELS[nowAt.setting]}`}
          {nowAt.since && ` since ${formatDate(nowAt.since, nowAt.timeZone)}`}
        </Badge>
      )}
    </span>
  );
};

/** `isPast`: the person has been admitted elsewhere since. */
const ShownStay = ({ stay, isPast }: { stay: Encounter; isPast: boolean }) => {
  // A canceled visit didn't take place.
  if (stay.status === 'CANCELLED') return null;
  const zone = stay.admittingFacility.timeZone;
  if (stay.dischargedDate)
    return (
      <Badge component="span" color="gray" leftSection={<IconLogout2 size={14} stroke={1.75} aria-hidden />}>
        {isPast ? `This stay: ${endWord(stay).toLowerCase()}` : endWord(stay)} {formatDate(stay.dischargedDate, zone)}
      </Badge>
    );
  if (stay.status !== 'IN_PROGRESS') return null;
  const hasDays = stay.lengthOfStay !== null && stay.setting !== 'EMERGENCY';
  const day = hasDays ? `day ${(stay.lengthOfStay ?? 0) + 1}` : null;
  return (
    <Badge component="span" leftSection={<ArrivalIcon setting={stay.setting} />}>
      {[isPast ? `This stay: ${SETTING_LABELS[stay.setting]}` : SETTING_LABELS[stay.setting], day]
        .filter(Boolean)
        .join(' · ')}
    </Badge>
  );
};

/** The number of someone entered by hand without a record number (server/work/patients/entry-facts.ts). */
const ENTRY_NUMBER = /^M-[\da-f]{8}-[\da-f]{4}-[\da-f]{4}$/;

/** What an identifier of a listing is called: a facility lists people by its record numbers, a program by its members' ids. */
export const idLabel = ({ groupType }: Pick<Patient['listings'][number], 'groupType'>): string =>
  groupType === 'PROGRAM' ? 'Member ID' : 'MRN';

const Ids = ({ patient }: { patient: Patient }) => {
  if (!patient.detailsVisible)
    return (
      <span>
        <i>Member ID</i> <b>You don't have access</b>
      </span>
    );
  // A current one first, as in lists: on a phone only the first is shown.
  const listed = patient.listings
    .filter(({ memberId }) => memberId)
    .toSorted((a, b) => Number(a.leftAt !== null) - Number(b.leftAt !== null));
  if (listed.length === 0)
    return (
      <span>
        <i>Member ID</i> <b>Not recorded</b>
      </span>
    );
  return listed.slice(0, 2).map((listing, n) => (
    <span key={listing.rosterPatientId} data-zone2={n > 0 || undefined}>
      <i>{ENTRY_NUMBER.test(listing.memberId ?? '') ? 'Entry number' : idLabel(listing)}</i>{' '}
      <b>{groupedId(listing.memberId ?? '')}</b> <i data-zone2>({listing.groupName})</i>
    </span>
  ));
};

/**
 * Who the page is about: FAMILY, Given, then birth date, gender and identifiers, in the order that the NHS patient banner guidance
 * sets (PAB-0016). A narrow page has its micro banner: name, birth date and one identifier in two lines, without clinical data; the rest (`data-zone2`)
 * opens on a tap.
 */
export const PatientBanner = ({
  patient,
  now,
  heading: Heading = 'h2',
}: {
  patient: Patient;
  now: Date;
  /** h1 where the page is about the patient and nothing else. */
  heading?: 'h1' | 'h2';
}) => {
  const [isOpen, open] = useState(false);
  return (
    <header className={classes.banner} data-deceased={patient.deceased || undefined} data-open={isOpen || undefined}>
      <div className={classes.line}>
        <Heading className={classes.name}>{familyFirst(patient)}</Heading>
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? 'Less' : 'More'}
        </UnstyledButton>
        <Presence patient={patient} />
      </div>
      <div className={classes.facts}>
        <span>
          <i>Born</i>{' '}
          <b>
            {patient.dateOfBirth ? (
              <time dateTime={patient.dateOfBirth} title={longDate(patient.dateOfBirth)}>
                {patient.deceased ? formatDate(patient.dateOfBirth) : born(patient.dateOfBirth, now)}
              </time>
            ) : (
              'Not recorded'
            )}
          </b>
        </span>
        {patient.deceased && <Death patient={patient} />}
        <span data-zone2>
          <i>Gender</i> <b>{patient.gender}</b>
        </span>
        <Ids patient={patient} />
      </div>
    </header>
  );
};

const Death = ({ patient }: { patient: Patient }) => {
  const { dateOfBirth, deceasedDate, isDeceasedDateReported, isDeathInDoubt } = patient;
  const isReported = isDeceasedDateReported || isDeathInDoubt;
  const at = dateOfBirth && deceasedDate && !isReported ? age(dateOfBirth, deceasedDate.slice(0, 10)) : null;
  return (
    <>
      <span>
        <i>{isReported ? 'Death reported' : 'Died'}</i>{' '}
        <b>{deceasedDate ? formatDate(deceasedDate) : 'Date not recorded'}</b>
      </span>
      {at && (
        <span>
          <i>Age at death</i> <b>{at}</b>
        </span>
      )}
    </>
  );
};
