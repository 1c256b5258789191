import { Anchor, Badge, Button } from '@mantine/core';
import { useId, useState } from 'react';
import { SETTING_LABELS } from '#contract/event-codes.ts';
import type { Patient } from '#contract/patients.ts';
import type { StoryEncounter } from '#contract/story.ts';
import { StayFacts } from '../inbox/detail-facts.tsx';
import { StatusBadge } from '../inbox/ping-badges.tsx';
import { VisitActions } from '../manual/visit-actions.tsx';
import { Amended } from '../patient/amended.tsx';
import { reportedByLink } from '../patient/as-reported.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { EventPhrase } from '../patient/event-phrase.tsx';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { delayPhrase } from '../patient/phrases.ts';
import { PingLinks } from '../patient/ping-links.tsx';
import { isOutpatientAccount, seriesInWords, stayDay } from '../patient/stay.ts';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { admissionTypeInWords } from './admission-type.ts';
import { DiagnosisList } from './diagnosis-list.tsx';
import classes from './story.module.css';
import { beginInWords } from './visit-dates.ts';
import { VisitFlags } from './visit-flags.tsx';

const endLabel = (stay: StoryEncounter): string => {
  const { setting, endPing, admittedDate } = stay;
  if (endPing?.status === 'DECEASED' || admittedDate === null) return endPing?.status === 'DECEASED' ? 'Died' : 'Ended';
  if (isOutpatientAccount(stay)) return 'Account closed';
  return setting === 'HHA' ? 'Ended' : endPing?.status === 'CLOSED' ? 'Closed' : 'Discharged';
};

/** Whether the facility only reported that the patient died, without a visit. */
const isDeathNotice = ({ admittedDate, endPing, events }: StoryEncounter): boolean =>
  admittedDate === null && endPing?.status === 'DECEASED' && events.every(({ status }) => status === 'DECEASED');

/** What a stay without an end says: whoever died is not there any more, whether or not a discharge was sent. */
const ongoingPhrase = ({ status }: StoryEncounter, patient: Patient): string => {
  if (status !== 'IN_PROGRESS' && status !== 'ON_LEAVE') return '';
  if (patient.deceased) {
    const { deceasedDate, isDeceasedDateReported } = patient;
    // The stay may be the one that contradicts it.
    if (patient.isDeathInDoubt)
      return ` · still there${deceasedDate ? ` · death reported ${formatDate(deceasedDate)}` : ''}`;
    const died = isDeceasedDateReported ? 'death reported' : 'patient died';
    return ` · ${died}${deceasedDate ? ` ${formatDate(deceasedDate)}` : ''}, no discharge sent`;
  }
  return status === 'ON_LEAVE' ? ' · on leave' : ' · still there';
};

/** When a visit began and ended, and where the patient went. */
const Dates = ({ stay, patient }: { stay: StoryEncounter; patient: Patient }) => {
  const zone = stay.admittingFacility.timeZone;
  const isSingle = stay.beginPing?.status === 'VISIT' || (stay.kind === 'OTHER' && stay.dischargedDate === null);
  const begin = stay.admittedDate && formatDateTime(stay.admittedDate, zone);
  const ended = stay.endPing?.status === 'DECEASED' ? stay.endPing.eventDate : stay.dischargedDate;
  const end = stay.dischargedDate && ended && formatDateTime(ended, zone);
  const series = seriesInWords(stay);
  const began = series
    ? `Series since ${stay.admittedDate ? formatDate(stay.admittedDate, zone) : 'an unknown date'} · ${series}`
    : isSingle
      ? (begin ?? 'Date not recorded')
      : beginInWords(stay, zone);
  if (isDeathNotice(stay))
    return (
      <div className={classes.dates}>
        {stay.endPing?.datedByReport ? 'Reported' : 'Died'} {end}
      </div>
    );
  return (
    <div className={classes.dates}>
      {stay.status === 'PLANNED' || stay.onlyPlanned ? `Planned${begin ? ` for ${begin}` : ''}` : began}
      {end && ` · ${endLabel(stay)} ${end}`}
      {stay.dischargeTo && endLabel(stay) !== 'Died' && ` · ${stay.dischargeTo}`}
      {!isSingle && ongoingPhrase(stay, patient)}
    </div>
  );
};

/** All that happened in a visit, newest first; with the status where the team got a ping. */
const Events = ({ stay, patientId }: { stay: StoryEncounter; patientId: string }) => {
  const sent = new Set(stay.pings.map(({ eventIdentifier }) => eventIdentifier));
  return (
    <ol className={classes.events}>
      {stay.events.map((event) => (
        <li key={event.eventIdentifier}>
          <EventIcon ping={event} />
          <span>
            <EventPhrase ping={event} /> {event.state === 'CANCELLED' && 'Canceled'}
            {event.state === 'AMENDED' && (
              <span className={classes.dim}>
                {' '}
                <Amended ping={event} />
              </span>
            )}
          </span>
          <span className={classes.dim}>
            <time dateTime={event.eventDate}>{formatDateTime(event.eventDate, event.facility.timeZone)}</time>
            {delayPhrase(event) && `, ${delayPhrase(event)}`}
            {event.manual && ', entered manually'}
            {event.reportedByLink && `. ${reportedByLink(event.reportedByLink)}`}
            {event.inferred && ', not reported by the facility'}
            {event.treatingProvider &&
              event.treatingProvider !== stay.attendingProvider &&
              `, ${event.treatingProvider}`}
          </span>
          {sent.has(event.eventIdentifier) && <PingLinks patientId={patientId} ping={event} hasKey={false} />}
          {sent.has(event.eventIdentifier) && event.state !== 'CANCELLED' && (
            <span className={classes.end}>
              <StatusBadge status={event.currentManagementStatus.status} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
};

/** What a visit was before its facility canceled it, where that came before anyone was notified. */
const CanceledBefore = ({ stay }: { stay: StoryEncounter }) => {
  const zone = stay.admittingFacility.timeZone;
  const planned = stay.admittedDate ? `Planned for ${formatDateTime(stay.admittedDate, zone)}` : 'Planned';
  return (
    <p>
      <s>{stay.onlyPlanned ? planned : beginInWords(stay, zone)}</s> Canceled
    </p>
  );
};

/** Returns the id of the patient with this visit. */
const idOf = ({ id }: Patient, stay: StoryEncounter): string => `${id.slice(0, id.indexOf('_'))}_${stay.id}`;

/** Everything else about a visit. Of a reported death there is nothing else. */
const Details = ({ stay, patient }: { stay: StoryEncounter; patient: Patient }) => {
  const isNotice = isDeathNotice(stay);
  return (
    <div className={classes.more}>
      {!isNotice && <StayFacts stay={{ ...stay, pings: stay.events }} patient={patient} />}
      {(stay.drg || stay.admissionType) && (
        <p className={classes.dim}>
          {[
            stay.drg && `DRG ${stay.drg}`,
            stay.admissionType && `Admission type: ${admissionTypeInWords(stay.admissionType)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {!isNotice && (
        <>
          <h5>Diagnoses</h5>
          <DiagnosisList diagnoses={stay.allEncounterDiagnoses} principal={stay.diagnosis?.fullCode ?? null} />
        </>
      )}
      <h5>What happened</h5>
      {stay.events.length > 0 ? (
        <Events stay={stay} patientId={idOf(patient, stay)} />
      ) : stay.status === 'CANCELLED' ? (
        <CanceledBefore stay={stay} />
      ) : (
        <p className={classes.dim}>No events yet.</p>
      )}
    </div>
  );
};

/** One visit: what, where, when and why on its face, everything else on demand. */
export const VisitCard = ({
  stay,
  patient,
  isOpen,
}: {
  stay: StoryEncounter;
  patient: Patient;
  /** Whether the details are shown at first. */
  isOpen: boolean;
}) => {
  const [open, toggle] = useState(isOpen);
  const headingId = useId();
  const { diagnosis, admittingFacility: facility, status } = stay;
  const length = stay.setting === 'EMERGENCY' ? stay.visitDuration : stayDay(stay);
  const isNotice = isDeathNotice(stay);
  const setting = isNotice ? 'Death reported' : stay.setting === 'UNKNOWN' ? 'Visit' : SETTING_LABELS[stay.setting];
  return (
    <article className={classes.visit} aria-labelledby={headingId} data-canceled={status === 'CANCELLED' || undefined}>
      <div className={classes.visitHead}>
        <h4 id={headingId}>
          {setting} · {facility.name}
        </h4>
        {status === 'CANCELLED' && (
          <Badge component="span" color="gray">
            Canceled
          </Badge>
        )}
        {stay.encounterTags.includes('MENTIONS_COVID_19') && (
          <Badge component="span" color="caution">
            Mentions COVID-19
          </Badge>
        )}
        {length && status !== 'CANCELLED' && stay.kind !== 'OTHER' && <span className={classes.dim}>{length}</span>}
      </div>
      <Dates stay={stay} patient={patient} />
      {facility.isPart2Facility && !open && <div className={classes.dim}>{PART2_NOTICE}</div>}
      {stay.admittedFromLocation && <div className={classes.dim}>After a stay at {stay.admittedFromLocation}</div>}
      <div hidden={isNotice}>
        {diagnosis ? (
          <>
            {diagnosis.synonym ?? 'No description'} <span className={classes.dim}>{diagnosis.fullCode}</span>
          </>
        ) : (
          (stay.admitReason ?? <span className={classes.dim}>No diagnosis sent</span>)
        )}
      </div>
      <VisitFlags stay={stay} />
      {stay.is3dWaiverEncounter && (
        <p className={classes.flag}>
          No three inpatient nights known to you before this stay (visits elsewhere may be missing). The stay may need a
          three-day waiver.
        </p>
      )}
      <Anchor component="button" type="button" size="sm" aria-expanded={open} onClick={() => toggle(!open)}>
        {open ? 'Hide details' : 'Show details'}
      </Anchor>
      {open && <Details stay={stay} patient={patient} />}
      {open && (
        <div className={classes.actions}>
          <VisitActions patientId={idOf(patient, stay)} encounter={{ ...stay, pings: stay.events }} />
        </div>
      )}
    </article>
  );
};

/** Asks for older visits. */
export const MoreVisits = ({ left, load, isLoading }: { left: number; load: () => void; isLoading: boolean }) => (
  <Button variant="default" loading={isLoading} onClick={load}>
    Show older visits ({left.toLocaleString('en-US')})
  </Button>
);
